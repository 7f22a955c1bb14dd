import type { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { readPurse } from '#server/relay/request/callers.store.ts'
import { refuseForLack } from './lack.ts'

/** What a caller can spend, as far as can be said without holding it. */
export interface Funds {
  readonly available: number
  /** The refusal for what costs more. */
  lack(needed: number): RelayFault
}

/** Refuses a caller without money before anything else is done. The hold for the request is made later. */
export async function requirePurse({ ctx }: RelayContext, caller: Caller): Promise<Funds> {
  const purse = await readPurse(ctx.database.db, caller.tokenId)
  const isTeams = caller.teamId > 0
  // A caller who is gone is refused by the hold.
  const wallet = purse ? (isTeams ? (purse.team ?? 0) : purse.user) : Number.POSITIVE_INFINITY
  const token = purse && !caller.unlimited ? purse.token : Number.POSITIVE_INFINITY
  const available = Math.min(wallet, token)
  const lacking = token < wallet ? 'token' : isTeams ? 'team' : 'user'
  const funds: Funds = {
    available,
    lack: (needed) => refuseForLack({ ok: false, lacking, available, resetsAt: 0 }, caller, needed, ctx.options()),
  }
  if (available <= 0) throw funds.lack(1)
  return funds
}
