import type { Context } from '#server/context.ts'
import { fetchAsDataUrl } from '#server/lib/network/guarded-fetch.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { providerOf } from '#server/providers/index.ts'
import { type Tools, UpstreamFault } from '#server/providers/provider.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { withAwakeKey } from '#server/relay/upstream/key-turn.ts'
import { VendorRefusal } from '#server/relay/upstream/vendor-refusal.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'
import type { channelsApi } from '#shared/api/channels.ts'
import type { OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { explained } from './explained.ts'

const timeoutMs = 15_000
const namesMax = 5000
const nameLengthMax = 200

/** What a provider needs for a call that is no client's request. */
export function consoleTools(ctx: Context, proxy: string, timeoutMs: number): Tools {
  const signal = AbortSignal.timeout(timeoutMs)
  return {
    fetch: fetchThrough(proxy, ctx.fetch) as Tools['fetch'],
    now: ctx.clock,
    signal,
    fetchBytes: (url) => fetchAsDataUrl(url, signal),
  }
}

type Asked = Pick<RoutedChannel, 'type' | 'key' | 'keys' | 'baseUrl' | 'other' | 'proxy'>
type List = (asked: Asked) => Promise<string[]>

const refused = (error: unknown): never => {
  throw error instanceof UpstreamFault ? new VendorRefusal(error.fault) : error
}

/** Asks for a list with the key of a channel, and with the others of its pool while the key is to blame. */
export const withPool = (context: RelayContext, channel: RoutedChannel) => async (list: List) =>
  (await withKeys(context, withAwakeKey(context, channel), (through) => list(through).catch(refused))).answer

/** The provider's own list, compared with the models the channel has: which are new and which are gone. */
export async function fetchModels(
  ctx: Context,
  asked: Asked,
  known: ReadonlySet<string>,
  ask: (list: List) => Promise<string[]> = (list) => list(asked),
): Promise<OutputOf<typeof channelsApi.fetchModels>> {
  const provider = providerOf(asked.type)
  const { models: list } = provider
  if (!list) throw new AppError('channel.models_unsupported')
  let names: string[]
  try {
    names = await ask((through) => list(through, consoleTools(ctx, through.proxy, timeoutMs)))
  } catch (cause) {
    throw new AppError('channel.models_failed', { detail: explained(cause, asked) }, { cause })
  }
  const trimmed = names.map((name) => name.trim())
  const usable = trimmed.filter((name) => name !== '' && name.length <= nameLengthMax && !/[,\0]/.test(name))
  const models = [...new Set(usable)].sort()
  if (models.length > namesMax) {
    const detail = `it names ${models.length} models, more than the ${namesMax} a channel can take`
    throw new AppError('channel.models_failed', { detail })
  }
  const listed = new Set(models)
  return {
    models,
    new: models.filter((name) => !known.has(name)),
    gone: [...known].filter((name) => !listed.has(name)),
  }
}
