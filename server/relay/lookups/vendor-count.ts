import type { ClientDialect } from '#server/dialects/dialect.ts'
import { providerOf } from '#server/providers/index.ts'
import type { Body, CountCall, Provider, Target, Tools } from '#server/providers/provider.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { consequencesOf } from '#server/relay/routing/fault-consequences.ts'
import { carriersOf } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { withHeldKey } from '#server/relay/state/keep-to-holder.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { lookupTools, plainTarget } from '#server/relay/upstream/plain-target.ts'
import { askVendor, briefly } from '#server/relay/upstream/vendor-call.ts'

/** How one dialect asks for a count. */
export interface Counting {
  readonly dialect: ClientDialect
  readonly body: JsonBody
  readonly model: string
  /** Why a vendor that would understand all of it may not be asked. */
  readonly foreign?: RelayFault | null
  /** The number in the dialect's words. */
  say(tokens: number): unknown
}

/**
 * The count of a vendor that carries the model: its whole answer where client and vendor speak one dialect, else the number.
 * Undefined when no vendor counts, or none that does can be asked now.
 */
export async function vendorCount(
  context: RelayContext,
  inbound: InboundRequest,
  counting: Counting,
  holder: Holder | null,
): Promise<unknown | number | undefined> {
  const caller = await context.callers.identify(inbound)
  const carriers = carriersOf(await context.routing.table(), caller, counting.model)
  const channels = holder ? keptBy(context, carriers, holder) : carriers
  const now = context.ctx.clock()
  for (const channel of channels) {
    const provider = providerOf(channel.type)
    const { count } = provider
    if (!count || context.breaker.resting(channel.id, now)) continue
    const target = plainTarget(channel, inbound, counting.model, counting.dialect.id)
    const tools = { ...lookupTools(context, channel, inbound), fetchBytes: refuseFetching }
    const body = await questionFor({ ...provider, count }, target, counting, tools).catch(unlessUnfetched)
    if (!body) continue
    const call = count.call(target)
    const answer = await askVendor(context, channel, { method: 'POST', call, body }, briefly(inbound.http.signal))
    if (!answer.ok && !consequencesOf(answer.fault).retry && answer.fault.status !== 404)
      throw new RelayFault(answer.fault)
    const tokens = answer.ok ? (count.read(answer.body) ?? -1) : -1
    // An answer without a count is not shown: the next vendor is asked.
    if (answer.ok && tokens >= 0) return count.dialect.id === counting.dialect.id ? answer.body : tokens
  }
  return undefined
}

/** Whoever counts a prompt pays nothing, so no file is fetched for it: where a vendor needs its bytes, we count. */
class Unfetched extends Error {}

const refuseFetching = async (): Promise<never> => {
  throw new Unfetched('a file by address is not fetched for a count')
}

function unlessUnfetched(error: unknown): null {
  if (error instanceof Unfetched) return null
  throw error
}

/** Only the channel that keeps what the request refers to can count it. */
function keptBy({ ctx }: RelayContext, carriers: readonly RoutedChannel[], holder: Holder): readonly RoutedChannel[] {
  const held = carriers.flatMap((channel) =>
    channel.id === holder.channelId ? (withHeldKey(ctx, channel, holder.keyHash) ?? []) : [],
  )
  if (held.length === 0 && holder.isPast) return carriers
  if (held.length === 0) throw refuse('stateGone')
  return held
}

async function questionFor(
  provider: Provider & { readonly count: CountCall },
  target: Target,
  { dialect, body, foreign }: Counting,
  tools: Tools,
): Promise<Body> {
  const { count } = provider
  if (count.dialect.id === dialect.id && foreign) throw foreign
  if (count.dialect.id === dialect.id) return count.encode({ ...body, model: target.model }, target)
  const decoded = { ...dialect.decodeRequest({ max_tokens: 1, ...body, model: target.model }), stream: false }
  const request = provider.prepare ? await provider.prepare(decoded, target, tools) : decoded
  return count.encode(count.dialect.encodeRequest(request) as Body, target)
}
