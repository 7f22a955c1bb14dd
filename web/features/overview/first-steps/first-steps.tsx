import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { firstStepsQuery } from '#web/state/queries/site-queries.ts'
import styles from './first-steps.module.css'
import { currentStep, isDone, type StepName, stepNames } from './steps.ts'

const ChannelStep = lazy(async () => ({ default: (await import('./channel-step.tsx')).ChannelStep }))
const TokenStep = lazy(async () => ({ default: (await import('./token-step.tsx')).TokenStep }))

/** The way to the first answer, until it has been given or the list is hidden. */
export function FirstSteps() {
  const { t } = useTranslation()
  const [hidden, setHidden] = useState(() => readStored('first_steps_hidden') ?? false)
  const [opened, setOpened] = useState<StepName | null>(null)
  const { data } = useQuery({ ...firstStepsQuery, enabled: !hidden })
  if (hidden || !data || data.request_answered) return null
  const current = opened ?? currentStep(data)
  const done = stepNames.filter((name) => isDone(data, name)).length
  const hide = () => {
    store('first_steps_hidden', true)
    setHidden(true)
  }
  return (
    <section className={styles.box} aria-labelledby="first-steps">
      <header className={styles.head}>
        <h2 id="first-steps">{t('overview.steps.title')}</h2>
        <span className="dimmed">{t('overview.steps.done', { done, count: stepNames.length })}</span>
        <button type="button" className={styles.hide} onClick={hide}>
          {t('overview.steps.hide')}
        </button>
      </header>
      <ol className={styles.steps}>
        {stepNames.map((name) => (
          <li key={name} data-done={isDone(data, name) || undefined} data-current={name === current || undefined}>
            <button
              type="button"
              aria-current={name === current ? 'step' : undefined}
              onClick={() => setOpened(name)}
              className={styles.step}
            >
              {t(`overview.steps.${name}.title`)}
            </button>
            <span className={styles.hint}>
              {isDone(data, name) ? t('overview.steps.isDone') : t(`overview.steps.${name}.hint`)}
            </span>
          </li>
        ))}
      </ol>
      <div className={styles.panel}>
        <h3>{t(`overview.steps.${current}.title`)}</h3>
        <p className="dimmed">{t(`overview.steps.${current}.text`)}</p>
        <Suspense>
          <Step name={current} onDone={() => setOpened(null)} />
        </Suspense>
      </div>
    </section>
  )
}

function Step({ name, onDone }: { name: StepName; onDone: () => void }) {
  const { t } = useTranslation()
  if (name === 'channel') return <ChannelStep onDone={onDone} />
  if (name === 'token') return <TokenStep onDone={onDone} />
  const to = { password: '/user/edit', tested: '/channel', request: '/playground' }[name]
  return (
    <Button component={Link} to={to} variant="filled">
      {t(`overview.steps.${name}.go`)}
    </Button>
  )
}
