import type { LimitedKind } from '#server/billing/limits/limit-check.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { type Account, type AccountKind, accountKinds, byKind, countsIn, idOf, type Party, roll } from '../account.ts'
import type { Hold } from '../decide.ts'

type OpenHold = Hold & Party & { channelId: number }

/** The hold of a request that goes through no channel yet. */
export const openHold = (
  { userId, tokenId, teamId, memberId }: Party,
  { amount, teamAmount, tokenAmount, budgetAmount, at }: Hold,
): OpenHold => ({ userId, tokenId, teamId, memberId, amount, teamAmount, tokenAmount, budgetAmount, at, channelId: 0 })

/** What a hold has taken of the balance of an account. */
const takenFrom: Readonly<Record<AccountKind, (hold: Hold) => number>> = {
  user: ({ amount }) => amount,
  token: ({ tokenAmount }) => tokenAmount,
  team: ({ teamAmount }) => teamAmount,
  member: () => 0,
}

/** The holds of the running requests of one process, by request and by everyone they count on. */
export interface OpenHolds {
  readonly holds: ReadonlyMap<string, OpenHold>
  open(id: string, hold: OpenHold): void
  close(id: string): void
  /** The request goes through this channel now. */
  goThrough(id: string, channelId: number): void
  running(kind: LimitedKind, id: number): number
  /** How many requests run on an account, and what they hold of its balance. */
  heldOf(kind: AccountKind, id: number): { readonly count: number; readonly amount: number }
  /** The membership id under which a user's requests run on a team; 0: none. */
  memberIn(user: number, team: number): number
  /** An account as it was read, less what is held of it. */
  takeOff(kind: AccountKind, id: number, account: Account): Account
}

export function createOpenHolds(periodOf: PeriodOf): OpenHolds {
  const holds = new Map<string, OpenHold>()
  const byAccount = byKind(() => new Map<number, Set<OpenHold>>())
  const byChannel = new Map<number, number>()

  const move = (hold: OpenHold, channelId: number) => {
    if (hold.channelId > 0) byChannel.set(hold.channelId, (byChannel.get(hold.channelId) ?? 0) - 1)
    if (channelId > 0) byChannel.set(channelId, (byChannel.get(channelId) ?? 0) + 1)
    hold.channelId = channelId
  }

  return {
    holds,
    open(id, hold) {
      holds.set(id, hold)
      for (const kind of accountKinds) {
        const owner = idOf[kind](hold)
        if (owner === 0) continue
        const open = byAccount[kind].get(owner)
        if (open) open.add(hold)
        else byAccount[kind].set(owner, new Set([hold]))
      }
    },
    close(id) {
      const hold = holds.get(id)
      if (!hold) return
      holds.delete(id)
      move(hold, 0)
      for (const kind of accountKinds) {
        const open = byAccount[kind].get(idOf[kind](hold))
        if (!open?.delete(hold)) continue
        if (open.size === 0) byAccount[kind].delete(idOf[kind](hold))
      }
    },
    goThrough(id, channelId) {
      const hold = holds.get(id)
      if (hold) move(hold, channelId)
    },
    running: (kind, id) => (kind === 'channel' ? (byChannel.get(id) ?? 0) : (byAccount[kind].get(id)?.size ?? 0)),
    heldOf(kind, id) {
      const open = byAccount[kind].get(id)
      let amount = 0
      for (const hold of open ?? []) amount += takenFrom[kind](hold)
      return { count: open?.size ?? 0, amount }
    },
    memberIn(user, team) {
      for (const hold of byAccount.user.get(user) ?? []) if (hold.teamId === team) return hold.memberId
      return 0
    },
    takeOff(kind, id, account) {
      const open = byAccount[kind].get(id)
      if (!open) return account
      // The new period may not have been stored yet.
      for (const hold of open) roll(account, hold.at, periodOf)
      for (const hold of open) {
        account.balance -= takenFrom[kind](hold)
        if (countsIn(account, hold.at)) account.budgetHeld += hold.budgetAmount
      }
      return account
    },
  }
}
