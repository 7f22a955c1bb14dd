import type { Log } from '#shared/api/logs.ts'
import { detailOf } from '#web/features/logs/charge.ts'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './panel.module.css'

/** Facts of a row, those that are known. */
export function RequestFacts({ row }: { row: Log }) {
  const { t } = useTranslation()
  const nameOf = useChannelName()
  const { counted, mapped, fault } = detailOf(row.detail)
  const way = row.tried.filter((channel) => channel > 0)
  const all: Array<[label: string, value: string | false | undefined, mono?: boolean]> = [
    [t('logs.detail.outcome'), row.outcome !== '' && t(`logs.detail.outcomes.${row.outcome}`)],
    [t('logs.detail.fault'), fault && `${fault.status} ${fault.code}`],
    [t('logs.panel.route'), way.length > 0 && way.map(nameOf).join(' → ')],
    [t('logs.columns.prompt'), row.prompt_tokens > 0 && formatCount(row.prompt_tokens)],
    [t('logs.panel.cached'), row.cached_tokens > 0 && formatCount(row.cached_tokens)],
    [t('logs.columns.completion'), row.completion_tokens > 0 && formatCount(row.completion_tokens)],
    [t('logs.detail.stream'), row.outcome !== '' && t(row.is_stream ? 'logs.detail.yes' : 'logs.detail.no')],
    [t('logs.detail.mapped'), mapped, true],
    [t('logs.detail.tokens'), counted && t('logs.detail.counted')],
    [t('logs.detail.request'), row.request_id, true],
  ]
  const known = all.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <dl className={styles.facts}>
      {known.map(([label, value, mono]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={mono ? 'mono' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
