import { bookPast } from '#server/billing/ledger/book-balances.ts'
import type { ForeignTopUp } from '#server/import/form.ts'
import { livingUsers } from './gone.ts'
import { counterOf, type ImportRun } from './run.ts'

/** Top-ups become entries of their day. The opening entry has made up the balance already, so it takes them back. */
export async function storeTopUps(run: ImportRun): Promise<void> {
  for await (const page of run.reader.topUps()) {
    const users = await livingUsers(
      run,
      page.map(({ userId }) => userId),
    )
    const isKept = ({ id, userId, quota }: ForeignTopUp) =>
      users.has(userId) && quota > 0 && run.seen.isNews('top-up', id, quota)
    const kept = page.filter(isKept)
    const past = kept.map(({ id, userId, quota, at }) => ({
      userId,
      amount: counterOf(quota),
      at,
      ref: `import:top-up:${id}`,
      against: `import:top-up:${id}:spent`,
    }))
    await bookPast(run.tx, past)
    run.report.count('top-ups', kept.length)
  }
}
