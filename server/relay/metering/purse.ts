import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { readPurse } from '#server/relay/request/callers.store.ts'
import { refuseForLack } from './lack.ts'

/** Refuses a caller without money before anything else is done. The hold for the request is made later. */
export async function requirePurse({ ctx }: RelayContext, caller: Caller): Promise<void> {
  const purse = await readPurse(ctx.database.db, caller.tokenId)
  if (!purse) return
  const wallet = caller.teamId > 0 ? (purse.team ?? 0) : purse.user
  const lack = (lacking: 'user' | 'team' | 'token', available: number) =>
    refuseForLack({ ok: false, lacking, available, resetsAt: 0 }, caller, 1)
  if (wallet <= 0) throw lack(caller.teamId > 0 ? 'team' : 'user', wallet)
  if (!caller.unlimited && purse.token <= 0) throw lack('token', purse.token)
}
