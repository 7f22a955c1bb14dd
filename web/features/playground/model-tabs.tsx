import type { KeyboardEvent } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { useCostWords } from './answer-facts.tsx'
import styles from './playground.module.css'
import type { Answer, Turn } from './use-conversation.ts'
import type { RunningCost } from './use-running-cost.ts'

interface Props {
  models: readonly string[]
  turn: Turn | undefined
  costOf: (model: string) => RunningCost
  shown: number
  onShow: (index: number) => void
}

/** Where a key leads from a tab; undefined for other keys. */
const wayOf = (key: string, index: number, count: number): number | undefined =>
  ({ ArrowLeft: (index + count - 1) % count, ArrowRight: (index + 1) % count, Home: 0, End: count - 1 })[key]

export const columnId = (index: number): string => `playground-column-${index}`
export const tabId = (index: number): string => `playground-tab-${index}`

/** On a phone one column at a time; each says what it cost. */
export function ModelTabs({ models, turn, costOf, shown, onShow }: Props) {
  const { t } = useTranslation()
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = wayOf(event.key, shown, models.length)
    if (next === undefined) return
    event.preventDefault()
    onShow(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div role="tablist" className={styles.tabs} aria-label={t('playground.models')} onKeyDown={press}>
      {models.map((model, index) => (
        <button
          key={model}
          id={tabId(index)}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={index === shown}
          aria-controls={columnId(index)}
          tabIndex={index === shown ? 0 : -1}
          onClick={() => onShow(index)}
        >
          <span className="ellipsis">{model}</span>
          <TabCost answer={turn?.answers[model]} running={costOf(model)} />
        </button>
      ))}
    </div>
  )
}

function TabCost({ answer, running }: { answer: Answer | undefined; running: RunningCost }) {
  const words = useCostWords(answer, running).filter(Boolean)
  return (
    <span className={styles.tabCost}>
      {answer?.state === 'running' && <span className={styles.live} aria-hidden="true" />}
      {words.join(' ')}
    </span>
  )
}
