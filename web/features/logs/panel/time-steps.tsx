import type { RequestDetail } from '#shared/api/logs.ts'
import { dollars } from '#shared/quota.ts'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './panel.module.css'

interface Step {
  readonly id: string
  readonly words: string
  readonly start: number
  readonly length: number | null
  readonly color: string
}

const red = 'var(--mantine-color-red-dot)'

/** A bar on its own hairline, as far along and as long as its part of the whole. */
const barOf = ({ start, length, color }: Step, whole: number) => {
  const share = Math.min(1, (length ?? 0) / whole)
  const place = share >= 1 ? 0 : (start / whole / (1 - share)) * 100
  return {
    background: `linear-gradient(${color}, ${color}) ${Math.min(100, place)}% 0 / max(3px, ${share * 100}%) 3px no-repeat, var(--sy-line)`,
  }
}

/** Where the time of a request went: what was held, each channel tried, the answer, and what was given back. */
export function TimeSteps({ detail: { row, tries, reserve } }: { detail: RequestDetail }) {
  const { t } = useTranslation()
  const { quotaPerUnit } = useQuotaDisplay()
  const nameOf = useChannelName()
  const money = (quota: number) => dollars(quota, quotaPerUnit, 4)
  const steps: Step[] = []
  const add = (step: Omit<Step, 'id'>) => steps.push({ id: String(steps.length), ...step })
  if (reserve > 0)
    add({
      words: t('logs.detail.reserved', { amount: money(reserve) }),
      start: 0,
      length: null,
      color: 'var(--sy-edge)',
    })
  let at = 0
  for (const { channel, duration_ms, fault } of tries) {
    const what = fault ? `${fault.status} ${fault.message}` : t('logs.panel.firstByteStep')
    const words = channel > 0 ? t('logs.panel.step', { channel: nameOf(channel), what }) : what
    add({ words, start: at, length: duration_ms, color: fault ? red : 'var(--sy-edge)' })
    at += duration_ms
  }
  const answer = row.duration_ms - at
  if (answer > 0 && row.outcome !== 'failed') {
    const pace = row.completion_tokens > 0 ? Math.round((row.completion_tokens / answer) * 1000) : 0
    const words = pace > 0 && pace < 10_000 ? t('logs.panel.answerAt', { count: pace }) : t('logs.detail.answer')
    add({ words, start: at, length: answer, color: 'var(--sy-accent)' })
  }
  if (reserve > row.quota)
    add({
      words: t('logs.panel.givenBack', { amount: money(reserve - row.quota) }),
      start: row.duration_ms,
      length: null,
      color: 'var(--sy-edge)',
    })
  const whole = Math.max(1, row.duration_ms, at)
  const time = row.duration_ms > 0 ? formatSeconds(row.duration_ms) : ''
  const first = formatSeconds(row.first_byte_ms)
  return (
    <section className={styles.section} aria-label={t('logs.panel.time')}>
      <div className={styles.sectionHead}>
        <h3>{t('logs.panel.time')}</h3>
        <span>{row.first_byte_ms > 0 ? t('logs.panel.timeFirstByte', { time, first }) : time}</span>
      </div>
      <ul className={styles.steps}>
        {steps.map((step) => (
          <li key={step.id}>
            <span className={styles.words}>{step.words}</span>
            {step.length !== null && <span className="dimmed">{formatSeconds(step.length)}</span>}
            <i aria-hidden="true" style={barOf(step, whole)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
