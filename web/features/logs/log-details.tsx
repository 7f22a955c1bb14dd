import { Popover, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Log } from '#shared/api/logs.ts'
import { logType } from '#shared/statuses.ts'
import { formatSeconds, formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { detailOf } from './charge.ts'
import { ChargeSum } from './charge-sum.tsx'
import styles from './logs.module.css'
import { RequestRoute } from './request-route.tsx'
import { rowText } from './row-text.ts'

/** Facts of a relayed request, those that are known. */
function useFacts(row: Log): Array<[label: string, value: string]> {
  const { t } = useTranslation()
  const { counted, mapped, fault } = detailOf(row.detail)
  const facts: Array<[string, string | false | undefined]> = [
    [t('logs.detail.outcome'), row.outcome !== '' && t(`logs.detail.outcomes.${row.outcome}`)],
    [t('logs.detail.fault'), fault && `${fault.status} ${fault.code}`],
    [t('logs.detail.duration'), row.duration_ms > 0 && formatSeconds(row.duration_ms)],
    [t('logs.detail.firstByte'), row.first_byte_ms > 0 && formatSeconds(row.first_byte_ms)],
    [t('logs.detail.stream'), row.outcome !== '' && t(row.is_stream ? 'logs.detail.yes' : 'logs.detail.no')],
    [t('logs.detail.tried'), row.tried.length > 0 && row.tried.join(' → ')],
    [t('logs.detail.mapped'), mapped],
    [t('logs.detail.tokens'), counted && t('logs.detail.counted')],
    [t('logs.detail.request'), row.request_id],
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []))
}

function Facts({ row }: { row: Log }) {
  const facts = useFacts(row)
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Opens everything the row says: its text, how the charge came about, and how the request went. */
export function LogDetails({ row, children }: { row: Log; children: ReactNode }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const label = t('logs.explain', { time: formatTime(row.created_at) })
  const { charge } = detailOf(row.detail)
  const text = rowText(t, row)
  return (
    <Popover opened={open} onChange={setOpen} width={400} withRoles={false}>
      <Popover.Target>
        <UnstyledButton
          className={styles.opener}
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label={text === '' ? label : `${label}: ${text}`}
          onClick={() => setOpen(!open)}
        >
          {children}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={styles.details} tabIndex={-1} data-autofocus>
        {text !== '' && <p className={styles.content}>{text}</p>}
        {charge && (
          <>
            <h2 className={styles.heading}>{t('logs.detail.charge')}</h2>
            <ChargeSum charge={charge} quota={row.quota} />
          </>
        )}
        {open && row.request_id !== '' && row.type === logType.consumption && <RequestRoute row={row} />}
        <Facts row={row} />
      </Popover.Dropdown>
    </Popover>
  )
}
