import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { answerCost } from './relay-process.ts'
import type { Witnesses } from './witnesses.ts'

const holdsPatienceMs = 60_000

/** Waits until no hold is open; returns the milliseconds that took, or null when it took too long. */
export async function untilHoldsResolved(databaseUrl: string): Promise<number | null> {
  const database = openDatabase(databaseUrl)
  const began = Date.now()
  try {
    while (Date.now() - began < holdsPatienceMs) {
      const open = await database.db.selectFrom('holds').select('id').limit(1).execute()
      if (open.length === 0) return Date.now() - began
      await Bun.sleep(250)
    }
    return null
  } finally {
    await database.close()
  }
}

/** What the books can be wrong in. */
export const faultKinds = ['lost', 'doubled', 'left held', 'drift'] as const
export type FaultCounts = Record<(typeof faultKinds)[number], number>

export const noFaults = (): FaultCounts => ({ lost: 0, doubled: 0, 'left held': 0, drift: 0 })

export interface Verdict {
  /** Empty when all is well. */
  readonly faults: readonly string[]
  readonly counts: Readonly<FaultCounts>
  /** How many billed answers reached no client, not even in part. */
  readonly unseen: number
}

/** Holds what clients saw against what the books say. */
export async function judge(databaseUrl: string, { complete, partial }: Witnesses): Promise<Verdict> {
  const database = openDatabase(databaseUrl)
  try {
    const { db } = database
    const faults: string[] = []
    const counts = noFaults()
    const note = (kind: keyof FaultCounts, fault: string) => {
      counts[kind] += 1
      faults.push(fault)
    }
    const entries = await db
      .selectFrom('ledger_entries')
      .select(['ref', 'amount', 'team_amount'])
      .where('kind', '=', 'settle')
      .execute()
    const rows = await db.selectFrom('logs').select(['request_id', 'quota']).where('type', '=', 2).execute()
    const paid = grouped(
      entries.map(({ ref, amount, team_amount }) => [ref.replace(/:refund$/, ''), -amount - team_amount]),
    )
    const logged = grouped(rows.map(({ request_id, quota }) => [request_id, quota]))
    for (const id of complete) {
      if (!same(paid.get(id), [answerCost]))
        note('lost', `${id} was seen whole and billed ${paid.get(id) ?? 'nothing'}`)
      if (!same(logged.get(id), [answerCost]))
        note('lost', `${id} was seen whole and its rows say ${logged.get(id) ?? 'nothing'}`)
    }
    for (const [id, amounts] of paid) {
      // A charge whose request was refused in the end is given back under the same id.
      if (sum(amounts) === 0) continue
      if (amounts.length > 1) note('doubled', `${id} was billed ${amounts.length} times`)
      if (!same(logged.get(id), amounts))
        note('drift', `${id} was billed ${amounts} and its rows say ${logged.get(id) ?? 'nothing'}`)
    }
    for (const drift of await reconcile(db)) note('drift', `drift: ${JSON.stringify(drift)}`)
    const holds = await db.selectFrom('holds').select('id').execute()
    if (holds.length > 0) note('left held', `${holds.length} holds are open`)
    return { faults, counts, unseen: [...paid.keys()].filter((id) => !complete.has(id) && !partial.has(id)).length }
  } finally {
    await database.close()
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const same = (found: readonly number[] | undefined, wanted: readonly number[]): boolean =>
  found !== undefined && found.length === wanted.length && found.every((amount, at) => amount === wanted[at])

function grouped(pairs: [string, number][]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value])
  return groups
}
