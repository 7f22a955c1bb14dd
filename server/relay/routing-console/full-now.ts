import type { LimitUse } from '#server/billing/ledger/ledger.ts'
import { hasLimits } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { Limits } from '#shared/limits.ts'

/** Whether a further request with so many tokens would break a limit. */
const isFull = (
  { rpm, tpm, parallel }: Limits,
  { requests, tokens: used, running }: LimitUse,
  tokens: number,
): boolean =>
  (parallel > 0 && running >= parallel) || (rpm > 0 && requests >= rpm) || (tpm > 0 && used > 0 && used + tokens > tpm)

/** Channels that take no further request now, as all nodes together count. */
export async function fullNow(
  { ctx }: Pick<RelayContext, 'ctx'>,
  channels: readonly RoutedChannel[],
  tokens: number,
): Promise<ReadonlyMap<number, RoutedChannel>> {
  const limited = channels.filter(({ limits }) => hasLimits(limits))
  const uses = await Promise.all(limited.map(({ id }) => ctx.ledger.limitUse('channel', id, ctx.clock())))
  const full = limited.filter(({ limits }, at) => {
    const use = uses[at]
    return use !== undefined && isFull(limits, use, tokens)
  })
  return new Map(full.map((channel) => [channel.id, channel]))
}
