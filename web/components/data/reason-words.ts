import { reasonOf } from '#shared/routing-reasons.ts'
import type { TFunction } from '#web/lib/i18n.ts'

/** Why a channel stands where it stands, in the reader's language. */
export function reasonIn(t: TFunction, state: string, sentence: string): string {
  const reasons: Record<string, Record<string, string>> = t('routing.reasons', { returnObjects: true })
  const reason = reasonOf(state, sentence)
  return (reason === undefined ? undefined : reasons[state]?.[reason]) ?? sentence
}
