import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ModelField } from '#web/components/choices/model-field.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { formatClock } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { columnId, ModelTabs, tabId } from './model-tabs.tsx'
import styles from './playground.module.css'
import type { SetUp } from './set-up.ts'
import type { Answer, Turn, useConversation } from './use-conversation.ts'
import type { useRunningCost } from './use-running-cost.ts'

const Markdown = lazy(async () => ({ default: (await import('#web/components/content/markdown.tsx')).Markdown }))

interface Props {
  setUp: SetUp
  known: readonly string[]
  onChange: (change: Partial<SetUp>) => void
  conversation: ReturnType<typeof useConversation>
  costOf: ReturnType<typeof useRunningCost>['costOf']
}

/** One column a model; over them what was asked, at their foot what it took. */
export function AnswerColumns({ setUp, known, onChange, conversation, costOf }: Props) {
  const { t } = useTranslation()
  const { models } = setUp
  const isTabbed = usePhone() && models.length > 1
  const [chosen, setShown] = useState(0)
  const shown = Math.min(chosen, models.length - 1)
  const last = conversation.turns.at(-1)
  const rename = (index: number, name: string) =>
    onChange({ models: models.map((model, at) => (at === index ? name : model)) })
  return (
    <>
      {last && <Asked turn={last} onEdit={conversation.isRunning ? undefined : conversation.editLast} />}
      {isTabbed && (
        <ModelTabs
          models={models}
          turn={last}
          costOf={(model) => costOf(conversation.turns, model)}
          shown={shown}
          onShow={setShown}
        />
      )}
      <div className={styles.columns} style={{ gridTemplateColumns: `repeat(${models.length}, minmax(0, 1fr))` }}>
        {models.map((model, index) => (
          <section
            key={model}
            className={styles.column}
            {...(isTabbed
              ? { role: 'tabpanel', id: columnId(index), 'aria-labelledby': tabId(index), hidden: index !== shown }
              : { 'aria-label': model })}
          >
            <h2 className={styles.spoken}>{model}</h2>
            <header className={styles.columnHead}>
              <ModelField
                label={t('playground.model', { number: index + 1 })}
                value={model}
                known={known.filter((name) => name === model || !models.includes(name))}
                onChange={(name) => rename(index, name)}
              />
              {models.length > 1 && (
                <ActionIcon
                  aria-label={t('playground.removeModel', { model })}
                  onClick={() => onChange({ models: models.filter((_, at) => at !== index) })}
                >
                  <IconX size={16} stroke={1.6} aria-hidden />
                </ActionIcon>
              )}
            </header>
            <Said
              model={model}
              answer={last?.answers[model]}
              onRetry={() => last && conversation.retry(last.id, model)}
            />
            <AnswerFacts
              answer={last?.answers[model]}
              fastest={isFastest(last, model)}
              running={costOf(conversation.turns, model)}
            />
          </section>
        ))}
      </div>
    </>
  )
}

function isFastest(turn: Turn | undefined, model: string): boolean {
  const times = Object.values(turn?.answers ?? {}).flatMap(({ firstByte }) => firstByte ?? [])
  const own = turn?.answers[model]?.firstByte
  return times.length > 1 && own !== undefined && own === Math.min(...times)
}

function Asked({ turn, onEdit }: { turn: Turn; onEdit: (() => void) | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={styles.asked}>
      {turn.images.map((url) => (
        <img key={url.slice(-40)} src={url} alt="" className={styles.picture} />
      ))}
      <div className={styles.words}>
        <span className={styles.who}>{t('playground.you', { time: formatClock(turn.at) })}</span>
        <p>{turn.text}</p>
      </div>
      {onEdit && (
        <ActionIcon aria-label={t('playground.edit')} title={t('playground.edit')} onClick={onEdit}>
          <IconPencil size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

interface SaidProps {
  model: string
  answer: Answer | undefined
  onRetry: () => void
}

function Said({ model, answer, onRetry }: SaidProps) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  return (
    <div className={styles.said} aria-live="polite" aria-busy={answer?.state === 'running'}>
      {answer?.state === 'running' && answer.text === '' && <Waiting />}
      {answer && answer.text !== '' && (
        <Suspense fallback={answer.text}>
          <Markdown text={answer.text} />
        </Suspense>
      )}
      {answer?.state === 'running' && answer.text !== '' && <span className={styles.live} aria-hidden="true" />}
      {answer?.state === 'stopped' && <p className="dimmed">{t('playground.stopped')}</p>}
      {answer?.state === 'failed' && (
        <div role="alert">
          <p className={styles.failed}>{answer.error}</p>
          <span className={styles.ways}>
            <Button size="xs" onClick={onRetry}>
              {t('playground.retry')}
            </Button>
            {isAdmin && <Link to={`/routing?model=${encodeURIComponent(model)}`}>{t('playground.explain')}</Link>}
          </span>
        </div>
      )}
    </div>
  )
}

const tick = 100

/** How long the first byte has been waited for. */
function Waiting() {
  const { t } = useTranslation()
  const [begun] = useState(() => Date.now())
  const [now, setNow] = useState(begun)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles.waiting}>
      <span className="dimmed" aria-live="off">
        {t('playground.waiting', { time: `${((now - begun) / 1000).toFixed(1)} s` })}
      </span>
      {[90, 76, 84, 40].map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} />
      ))}
    </div>
  )
}
