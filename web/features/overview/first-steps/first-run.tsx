import { Button } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { FirstSteps } from '#shared/api/status.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { hideFirstSteps } from '#web/state/first-steps.ts'
import styles from './first-steps.module.css'
import { currentStep, isDone, type StepName, stepNames } from './steps.ts'

const ChannelStep = lazy(async () => ({ default: (await import('./channel-step.tsx')).ChannelStep }))
const RequestStep = lazy(async () => ({ default: (await import('./request-step.tsx')).RequestStep }))
const TokenStep = lazy(async () => ({ default: (await import('./token-step.tsx')).TokenStep }))

/** The way to the first answer: the lit track runs down the steps done and over to the form of the current one. */
export function FirstRun({ steps }: { steps: FirstSteps }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<StepName | null>(null)
  const [finished, setFinished] = useState<StepName | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const current = opened ?? currentStep(steps, finished)
  const goOn = () => {
    setFinished(current)
    setOpened(null)
    // The form that had the focus goes away.
    title.current?.focus()
  }
  const done = stepNames.filter((name) => isDone(steps, name)).length
  const row = stepNames.indexOf(current) + 1
  return (
    <>
      <PageHead title={t('pages.overview')} count={t('steps.done', { done, count: stepNames.length })}>
        <Button variant="subtle" onClick={hideFirstSteps}>
          {t('steps.hide')}
        </Button>
      </PageHead>
      <section className={styles.box} aria-label={t('shell.firstSteps')}>
        <ol className={styles.steps}>
          {stepNames.map((name) => (
            <li key={name} data-done={isDone(steps, name) || undefined} data-current={name === current || undefined}>
              {name === current && <Turn isFirst={row === 1} />}
              <span className={styles.line}>
                <button
                  type="button"
                  aria-current={name === current ? 'step' : undefined}
                  onClick={() => setOpened(name)}
                  className={styles.step}
                >
                  {t(`steps.${name}.title`)}
                </button>
                {name === current && <span className={styles.lead} aria-hidden="true" />}
              </span>
              <span className={styles.hint}>{isDone(steps, name) ? t('steps.isDone') : t(`steps.${name}.hint`)}</span>
            </li>
          ))}
        </ol>
        <div className={styles.panel} style={{ gridRow: `${row} / span ${stepNames.length + 2 - row}` }}>
          <h2 ref={title} tabIndex={-1}>
            {t(`steps.${current}.title`)}
          </h2>
          <p className="dimmed">{t(`steps.${current}.text`)}</p>
          <Suspense>
            <Step name={current} onDone={goOn} />
          </Suspense>
        </div>
      </section>
      <ToCome />
    </>
  )
}

/** From the track over to the step: a turn of 45°. */
const Turn = ({ isFirst }: { isFirst: boolean }) => (
  <svg className={styles.turn} width="30" height="40" viewBox="0 0 30 40" aria-hidden="true">
    <path d={`${isFirst ? 'M1.5 15' : 'M1.5 0V15'}L15.5 29H28`} />
  </svg>
)

function Step({ name, onDone }: { name: StepName; onDone: () => void }) {
  const { t } = useTranslation()
  if (name === 'channel') return <ChannelStep onDone={onDone} />
  if (name === 'token') return <TokenStep onDone={onDone} />
  if (name === 'request') return <RequestStep />
  const to = { password: '/user/edit', tested: '/channel' }[name]
  return (
    <Button component={Link} to={to} state={{ thenTo: '/' }} variant="filled">
      {t(`steps.${name}.go`)}
    </Button>
  )
}

const measures = ['quota', 'cost', 'profit', 'requests', 'failed', 'tokens'] as const

/** The figures that will stand here, still without values. */
function ToCome() {
  const { t } = useTranslation()
  const labels = [...measures.map((name) => t(`overview.measures.${name}`)), t('overview.firstByte')]
  return (
    <>
      <p className={styles.hint}>{t('steps.toCome')}</p>
      <dl className={styles.toCome}>
        {labels.map((label) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>–</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
