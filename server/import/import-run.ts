import type { Tx } from '#server/db/database.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { quotaMax } from '#shared/quota.ts'
import type { Report } from './report.ts'
import type { Source } from './source.ts'

/** What each part of an import works with. */
export interface ImportRun {
  readonly tx: Tx
  readonly source: Source
  readonly secrets: SecretBox
  readonly report: Report
  /** Epoch seconds. */
  readonly at: number
  /** Who has been taken over so far. */
  readonly userIds: Set<number>
}

/** An amount of money as we allow it. Debts are forgiven, and said so. */
export function amountOf({ report }: Pick<ImportRun, 'report'>, amount: number, what: string, subject: string): number {
  if (amount < 0) report.note(`negative ${what} set to 0`, `${subject} (${amount})`)
  if (amount > quotaMax) report.note(`${what} too large, set to ${quotaMax}`, subject)
  return counterOf(amount)
}

export const counterOf = (value: number): number => Math.min(Math.max(0, value), quotaMax)

/** A comma-separated list without blanks and repetitions. */
export const tidyList = (list: string): string => distinctNames(list).join(',')
