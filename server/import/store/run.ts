import type { Tx } from '#server/db/database.ts'
import type { ForeignReader } from '#server/import/form.ts'
import type { Report } from '#server/import/report.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { quotaMax } from '#shared/quota.ts'
import type { Seen } from './seen.ts'

export type Table = 'users' | 'tokens' | 'channels' | 'redemptions'

/** Numbers of rows that were taken over and have been deleted there since, by table. */
type Gone = Readonly<Record<Table, Set<number>>>

export const nothingGone = (): Gone => ({
  users: new Set(),
  tokens: new Set(),
  channels: new Set(),
  redemptions: new Set(),
})

/** What each part of an import works with. */
export interface ImportRun {
  readonly tx: Tx
  readonly reader: ForeignReader
  readonly secrets: SecretBox
  readonly report: Report
  /** Epoch seconds. */
  readonly at: number
  /** What an earlier round stored already. */
  readonly seen: Seen
  /** Distinguishes the entries of one round from those of another; '' in the first. */
  readonly round: string
  /** What this round found to be deleted there. */
  readonly gone: Gone
}

/** An amount of money as we allow it. Debts are forgiven, and said so. */
export function amountOf(
  { report }: Pick<ImportRun, 'report'>,
  amount: number | null,
  what: string,
  subject: string,
): number {
  if (amount === null) report.note(`${what} is no number, set to 0`, subject)
  else if (amount < 0) report.note(`negative ${what} set to 0`, `${subject} (${amount})`)
  else if (amount > quotaMax) report.note(`${what} too large, set to ${quotaMax}`, subject)
  return counterOf(amount ?? 0)
}

export const counterOf = (value: number): number => Math.min(Math.max(0, value), quotaMax)

/** A comma-separated list without blanks and repetitions. */
export const tidyList = (list: string): string => distinctNames(list).join(',')

/** Bytes that are no UTF-8 arrive as this. */
const unreadable = '\uFFFD'

export function noteEncoding({ report }: Pick<ImportRun, 'report'>, subject: string, ...texts: string[]): void {
  if (texts.some((text) => text.includes(unreadable))) report.note('text that is not in UTF-8', subject)
}
