import { apiReasons } from '#shared/api-reasons.ts'
import type { TFunction } from '#web/lib/i18n.ts'

/** Why an API is asked, in the reader's language. */
export function apiReasonIn(t: TFunction, sentence: string): string {
  const words: Record<string, string> = t('routing.apiReasons', { returnObjects: true })
  const word = Object.entries(apiReasons).find(([, known]) => known === sentence)?.[0]
  return (word !== undefined && words[word]) || sentence
}
