import type { Ledger, Settlement, SettleResult } from '#server/billing/ledger/ledger.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import { removeFromList } from '#server/lib/unordered-list.ts'
import { correctionsOf } from '#server/relay/limits/channel-limits.ts'
import { type Consumption, chargeFor } from '#server/relay/metering/charges.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { SettledRequest } from '#server/relay/relayed-request.ts'
import { logRow, type RequestEnd } from './log-row.ts'
import { type Written, writeLater, writeSurely } from './write-surely.ts'

/** Nothing was delivered: everything is given back. */
export const free: Consumption = { by: 'nothing' }

/** Conditions of a settlement, and how it is committed when not by itself. */
interface How extends Pick<Settlement, 'onlyInFull' | 'refund'> {
  readonly commit?: Ledger['settle']
}

/** Closes the hold, takes the charge and writes the row, in one durable commit. */
export async function settle(
  context: RelayContext,
  request: SettledRequest,
  { outcome, consumption }: RequestEnd,
  { commit, ...terms }: How = {},
): Promise<SettleResult> {
  const { ctx, running } = context
  const { delivery } = request
  removeFromList(running, request)
  const charge = delivery && consumption.by !== 'nothing' ? chargeFor(delivery, consumption) : null
  if ('doubtful' in consumption && consumption.doubtful)
    ctx.log.warn('an upstream reported usage that cannot be true', {
      request: request.id,
      channel: delivery?.channel.id,
    })
  const now = ctx.clock()
  const at = Math.floor(now / 1000)
  const settlement: Settlement = {
    id: request.holdId,
    userId: request.caller.userId,
    tokenId: request.caller.tokenId,
    teamId: request.caller.teamId,
    memberId: request.caller.memberId,
    charge: charge?.quota ?? 0,
    channelId: delivery?.channel.id ?? 0,
    counts: charge !== null,
    log: logRow(request, { outcome, consumption }, charge, now),
    unlogged: !ctx.options().LogConsumeEnabled,
    at,
    admittedAt: Math.floor(request.startedAt / 1000),
    corrections: correctionsOf(request, consumption),
    ...terms,
  }
  let result: SettleResult
  try {
    result = await (commit ?? ctx.ledger.settle)(settlement)
  } catch (error) {
    result = await commitAgain(context, settlement, error, now + timeoutMs)
  }
  ctx.writes.worked()
  const usage = charge && 'usage' in consumption ? consumption.usage : null
  const settled = { request, outcome, charge, usage, result, durationMs: now - request.startedAt }
  for (const observe of context.observers) observe(settled)
  return result
}

/** True when another node released the hold and the balance is too low now. Such an answer is not shown. */
export const isUnpaid = ({ lostHold, shortfall }: SettleResult): boolean => lostHold && shortfall > 0

const written = ({ id }: SettledRequest): Written => ({ of: 'a request', done: 'settled', facts: { request: id } })

/** An earlier commit whose result was lost may have charged a request that turns out to be free: it is refunded. */
const settling =
  (context: RelayContext, request: SettledRequest, ending: RequestEnd, how: Pick<How, 'commit'> = {}) =>
  () =>
    settle(context, request, ending, { refund: ending.consumption.by === 'nothing', ...how })

/** Settles now, or as soon as the database takes it; never throws. */
export const settleSurely = (
  context: RelayContext,
  request: SettledRequest,
  ending: RequestEnd,
  how: Pick<How, 'commit'> = {},
): Promise<void> => writeSurely(context, written(request), settling(context, request, ending, how))

/** For a settlement that failed, or whose result was lost. */
export const settleLater = (context: RelayContext, request: SettledRequest, ending: RequestEnd): void =>
  writeLater(context, written(request), settling(context, request, ending))

const timeoutMs = 5000
const pauseMs = 100

/** Retries while the database is unreachable, so that a short outage loses no settlement. */
async function commitAgain(
  { ctx: { ledger, clock, writes } }: RelayContext,
  settlement: Settlement,
  cause: unknown,
  until: number,
): Promise<SettleResult> {
  for (let error = cause; ; ) {
    if (isDatabaseGone(error)) writes.failed()
    if (!isDatabaseGone(error) || clock() > until) throw error
    await Bun.sleep(pauseMs)
    try {
      return await ledger.settle(settlement)
    } catch (again) {
      error = again
    }
  }
}
