import type { Insertable } from 'kysely'
import { keptCode } from '#server/accounts/redemption-code.ts'
import type { RedemptionsTable } from '#server/db/tables.ts'
import type { ForeignCode } from '#server/import/form.ts'
import { createTextSet, type TextSet } from '#server/lib/flat-sets.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import { freeValues } from './free.ts'
import { amountOf, type ImportRun } from './run.ts'

const known: readonly number[] = Object.values(redemptionStatus)

const columns = [
  'user_id',
  'name',
  'key',
  'key_sealed',
  'status',
  'quota',
  'created_time',
  'redeemed_time',
  'redeemed_by',
  'expired_time',
] as const

/** What was deleted there pays nothing here. */
export async function storeCodes(run: ImportRun): Promise<void> {
  const taken = createTextSet()
  for await (const page of run.reader.codes()) {
    const kept = page.filter((code) => !code.isDeleted && isFirst(run, code, taken))
    run.report.count('deleted redemption codes left out', page.filter((code) => code.isDeleted).length)
    for (const { id } of kept) run.present.redemptions.add(id)
    const news = kept.filter((code) => run.seen.isNews('code', code.id, code))
    run.report.count('redemption codes', news.length)
    if (news.length === 0) continue
    const rows = news.map((code) => ({ ...codeRow(run, code), id: code.id }))
    await freeValues(run, 'redemptions', rows)
    await run.tx
      .insertInto('redemptions')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
      )
      .execute()
  }
}

function isFirst({ report }: ImportRun, { id, key }: ForeignCode, taken: TextSet): boolean {
  if (key === '') return false
  if (taken.has(key)) report.note('redemption code that another one repeats left out', `redemption code ${id}`)
  const isNew = !taken.has(key)
  taken.add(key)
  return isNew
}

function codeRow(run: ImportRun, code: ForeignCode): Insertable<RedemptionsTable> {
  return {
    id: code.id,
    user_id: run.present.users.has(code.userId) ? code.userId : 0,
    name: code.name,
    ...keptCode(run.secrets, code.key),
    status: known.includes(code.status) ? code.status : redemptionStatus.disabled,
    quota: amountOf(run, code.quota, 'quota', `redemption code ${code.id}`),
    created_time: code.createdTime,
    redeemed_time: code.redeemedTime,
    redeemed_by: run.present.users.has(code.redeemedBy) ? code.redeemedBy : 0,
    expired_time: Math.max(0, code.expiredTime),
  }
}
