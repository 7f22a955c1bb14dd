import type { ReactNode } from 'react'
import type { ExplainedRoute, RouteCandidate } from '#shared/api/routing.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import styles from './routing.module.css'

/** Where it goes, in words; the names stand out. */
export function Sentence({ model, route }: { model: string; route: ExplainedRoute }) {
  return (
    <p className={styles.sentence} role="status">
      {marked(useSentence(model, route), [...route.candidates.map(({ name }) => name), ...route.fallbacks])}
    </p>
  )
}

function useSentence(model: string, { price, candidates, fallbacks }: ExplainedRoute): string {
  const { t } = useTranslation()
  const inState = (state: RouteCandidate['state']) => candidates.filter((candidate) => candidate.state === state)
  const [first, [reserve]] = [inState('first'), inState('reserve')]
  const [only] = first
  const then = fallbacks.length > 0 ? ` ${t('routing.thenModels', { models: fallbacks.join(', ') })}` : ''
  if (candidates.length === 0) return t('routing.nobody', { model }) + then
  if (price === null) return t('routing.noPrice', { model }) + then
  if (!only) return t('routing.noneLeft', { model }) + then
  const next = (reserve ? ` ${t('routing.thenReserve', { count: first.length, name: reserve.name })}` : '') + then
  if (first.length === 1) return t('routing.goesOne', { model, name: only.name }) + next
  const names = first
    .map(({ name, probability }) => t('routing.share', { name, percent: formatShare(probability) }))
    .join(', ')
  return t('routing.goesMany', { model, names }) + next
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
