import { reasonOf } from '#shared/routing-reasons.ts'
import type { TFunction } from '#web/lib/i18n.ts'

/** Why a channel stands where it stands, as the one word behind the sentence. */
export const wordOf = (state: string, sentence: string): string => reasonOf(state, sentence) ?? ''

/** The same in the reader's language. */
export function reasonIn(t: TFunction, state: string, sentence: string): string {
  const tables: Record<string, Record<string, string>> = {
    first: t('reasons.first', { returnObjects: true }),
    reserve: t('reasons.reserve', { returnObjects: true }),
    out: t('reasons.out', { returnObjects: true }),
  }
  return tables[state]?.[wordOf(state, sentence)] ?? sentence
}
