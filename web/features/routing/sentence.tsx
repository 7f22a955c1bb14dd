import type { ReactNode } from 'react'
import type { ExplainedRoute, RouteCandidate } from '#shared/api/routing.ts'
import { formatQuota } from '#shared/quota.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './routing.module.css'

/** Where it goes, in words; the names stand out. */
export function Sentence({ model, route }: { model: string; route: ExplainedRoute }) {
  return (
    <p className={styles.sentence} role="status">
      {marked(useSentence(model, route), [...route.candidates.map(({ name }) => name), ...route.fallbacks])}
      {useFit(model, route).map((line) => ` ${line}`)}
    </p>
  )
}

function useSentence(model: string, { price, candidates, fallbacks }: ExplainedRoute): string {
  const { t } = useTranslation()
  const inState = (state: RouteCandidate['state']) => candidates.filter((candidate) => candidate.state === state)
  const [first, [reserve]] = [inState('first'), inState('reserve')]
  const [only] = first
  const then = fallbacks.length > 0 ? ` ${t('routing.thenModels', { models: fallbacks.join(t('common.comma')) })}` : ''
  if (candidates.length === 0) return t('routing.nobody', { model }) + then
  if (price === null) return t('routing.noPrice', { model }) + then
  if (!only) return t('routing.noneLeft', { model }) + then
  const next = (reserve ? ` ${t('routing.thenReserve', { count: first.length, name: reserve.name })}` : '') + then
  if (first.length === 1) return t('routing.goesOne', { model, name: only.name }) + next
  const names = first
    .map(({ name, probability }) => t('routing.share', { name, percent: formatShare(probability) }))
    .join(t('common.comma'))
  return t('routing.goesMany', { model, names }) + next
}

/** What of the request does not fit the model, and what its prompt costs. */
function useFit(model: string, { lacking, context_exceeded: longest, prompt_quota: quota }: ExplainedRoute): string[] {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const what = lacking.map((need) => t(`models.words.${need}`)).join(t('common.comma'))
  return [
    lacking.length > 0 && t('routing.lacking', { model, what }),
    longest !== null && t('routing.tooLong', { model, tokens: formatCount(longest) }),
    quota !== null && t('routing.promptCosts', { money: formatQuota(quota, display) }),
  ].filter((line) => line !== false)
}

/** The sentence with these names in bold. */
function marked(sentence: string, names: readonly string[]): ReactNode {
  const escaped = [...new Set(names)]
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (escaped.length === 0) return sentence
  return sentence
    .split(new RegExp(`(${escaped.join('|')})`))
    .map((part) => (names.includes(part) ? <b key={part}>{part}</b> : part))
}
