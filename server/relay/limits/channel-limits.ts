import type { Correction, LimitRefused } from '#server/billing/limits/limit-check.ts'
import { limitKey } from '#server/billing/limits/limit-check.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest, SettledRequest } from '#server/relay/relayed-request.ts'
import { hasLimits } from './caller-limits.ts'
import type { Counted } from './counted.ts'
import type { LimitedChannel } from './full-channels.ts'

/** Counts an attempt against the limits of its channel. Null when it may be sent. */
export const countAttempt = (
  context: RelayContext,
  request: RelayedRequest,
  channel: LimitedChannel,
): LimitRefused | null | Promise<LimitRefused | null> =>
  hasLimits(channel.limits) ? countLimited(context, request, channel) : null

async function countLimited(
  { ctx, fullChannels }: RelayContext,
  request: RelayedRequest,
  channel: LimitedChannel,
): Promise<LimitRefused | null> {
  const { holdId: id, estimate, counted } = request
  const now = ctx.clock()
  const of = [{ kind: 'channel' as const, id: channel.id, ...channel.limits }]
  const result = await ctx.ledger.enter({
    id,
    channelId: channel.id,
    limits: { now, tokens: estimate, of },
    before: counted.channel && correction(counted.channel, estimate, 0),
  })
  const full = result.ok ? result.full : result.by
  if (full) fullChannels.remember(channel.id, full, now)
  if (!result.ok) return result.by
  counted.channel = { key: limitKey({ kind: 'channel', id: channel.id }), at: result.at }
  return null
}

const correction = ({ key, at }: Counted, estimate: number, used: number): Correction => ({
  key,
  at,
  difference: used - estimate,
})

const none: readonly Correction[] = []

/** Replaces the estimate a request was counted with by what it used, in every limit that counted it. */
export function correctionsOf({ counted, estimate }: SettledRequest, consumption: Consumption): readonly Correction[] {
  const all = counted.channel ? [...counted.caller, counted.channel] : counted.caller
  if (all.length === 0) return none
  return all.map((one) => correction(one, estimate, tokensUsed(consumption) ?? estimate))
}

/** Undefined for what is not sold by the token. */
export function tokensUsed(consumption: Consumption): number | undefined {
  if (consumption.by === 'nothing') return 0
  return 'usage' in consumption ? Math.ceil(consumption.usage.input + consumption.usage.output) : undefined
}
