import type { Insertable } from 'kysely'
import { keptCode } from '#server/accounts/redemption-code.ts'
import type { RedemptionsTable } from '#server/db/tables.ts'
import type { ForeignCode } from '#server/import/form.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import { heldBefore } from './claims.ts'
import { disableGone, livingUsers } from './gone.ts'
import { amountOf, type ImportRun, noteEncoding } from './run.ts'
import { upsertRows } from './upsert.ts'
import { stretches } from './walk.ts'

const known: readonly number[] = Object.values(redemptionStatus)

/** What was deleted there pays nothing here. */
export async function storeCodes(run: ImportRun): Promise<void> {
  for await (const stretch of stretches(run.reader.codes())) {
    const living = stretch.rows.filter((code) => !code.isDeleted && code.key !== '')
    run.report.count('deleted redemption codes left out', stretch.rows.filter((code) => code.isDeleted).length)
    const kept = await withoutRepeats(run, living, stretch.after)
    await disableGone(run, 'redemptions', stretch, new Set(kept.map(({ code }) => code.id)))
    await upsertCodes(
      run,
      kept.filter(({ code }) => run.seen.isNews('code', code.id, code)),
    )
  }
}

async function upsertCodes(run: ImportRun, news: readonly Kept[]): Promise<void> {
  run.report.count('redemption codes', news.length)
  if (news.length === 0) return
  const people = news.flatMap(({ code }) => [code.userId, code.redeemedBy])
  const users = await livingUsers(run, people)
  const rows = news.map((kept) => ({ ...codeRow(run, kept, users), id: kept.code.id }))
  await upsertRows(run, 'redemptions', rows)
}

interface Kept {
  readonly code: ForeignCode
  /** How the code itself is stored. */
  readonly stored: ReturnType<typeof keptCode>
}

async function withoutRepeats(run: ImportRun, codes: readonly ForeignCode[], upTo: number): Promise<Kept[]> {
  const all = codes.map((code) => ({ code, stored: keptCode(run.secrets, code.key) }))
  const values = all.map(({ stored }) => stored.key)
  const taken = await heldBefore(run, { table: 'redemptions', column: 'key', values, upTo })
  return all.filter(({ code: { id }, stored: { key } }) => {
    const isTwin = taken.has(key)
    if (isTwin) run.report.note('redemption code that another one repeats left out', `redemption code ${id}`)
    taken.add(key)
    return !isTwin
  })
}

function codeRow(run: ImportRun, { code, stored }: Kept, users: ReadonlySet<number>): Insertable<RedemptionsTable> {
  noteEncoding(run, `redemption code ${code.id}`, code.name, code.key)
  return {
    id: code.id,
    user_id: users.has(code.userId) ? code.userId : 0,
    name: code.name,
    ...stored,
    status: known.includes(code.status) ? code.status : redemptionStatus.disabled,
    quota: amountOf(run, code.quota, 'quota', `redemption code ${code.id}`),
    created_time: code.createdTime,
    redeemed_time: code.redeemedTime,
    redeemed_by: users.has(code.redeemedBy) ? code.redeemedBy : 0,
    expired_time: Math.max(0, code.expiredTime),
  }
}
