import { formatQuota } from '#shared/quota.ts'
import { formatCount, formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './playground.module.css'
import type { Answer } from './use-conversation.ts'
import type { RunningCost } from './use-running-cost.ts'

/** An answer that comes in one piece has no speed. */
const pieceWithin = 50

function speedOf({ output, firstByte = 0, duration = 0 }: Answer): number | undefined {
  return output === undefined || duration - firstByte < pieceWithin
    ? undefined
    : (output / (duration - firstByte)) * 1000
}

interface Props {
  answer: Answer | undefined
  fastest: boolean
  running: RunningCost
}

/** What an answer took: times, tokens and money. */
export function AnswerFacts({ answer, fastest, running }: Props) {
  const { t } = useTranslation()
  const none = t('common.none')
  const speed = answer && speedOf(answer)
  const [cost, beside] = useCostWords(answer, running)
  const facts = [
    [
      t('playground.firstByte'),
      answer?.firstByte === undefined ? none : formatSeconds(answer.firstByte),
      fastest ? t('playground.fastest') : '',
    ],
    [t('playground.speed'), speed === undefined ? none : t('playground.perSecond', { count: Math.round(speed) }), ''],
    [
      t('playground.tokens'),
      answer?.input === undefined
        ? none
        : t('playground.inAndOut', { input: formatCount(answer.input), output: formatCount(answer.output ?? 0) }),
      '',
    ],
    [t('playground.cost'), cost, beside],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value, more]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {more && <span className="dimmed">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What it cost; while it comes, what it has cost so far; before that, what it can cost at most. */
export function useCostWords(answer: Answer | undefined, { atMost, soFar }: RunningCost): [string, string] {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const none = t('common.none')
  if (answer?.cost !== undefined) return [formatQuota(answer.cost, display), '']
  if (answer?.state !== 'running') return [none, '']
  if (answer.text !== '' && soFar !== undefined) return [`≈ ${formatQuota(soFar, display)}`, t('playground.soFar')]
  if (answer.text === '' && atMost !== undefined)
    return ['', t('playground.atMost', { cost: formatQuota(atMost, display) })]
  return [none, t('playground.atTheEnd')]
}
