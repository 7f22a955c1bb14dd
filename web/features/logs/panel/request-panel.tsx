import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Log } from '#shared/api/logs.ts'
import { logType } from '#shared/statuses.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { detailOf } from '#web/features/logs/charge.ts'
import { rowText } from '#web/features/logs/row-text.ts'
import { formatTime } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { requestQuery } from '#web/state/queries/log-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { Candidates } from './candidates.tsx'
import { ChargeSum } from './charge-sum.tsx'
import styles from './panel.module.css'
import { RequestFacts } from './request-facts.tsx'
import { TimeSteps } from './time-steps.tsx'

interface Props {
  /** What the address names: a request, or a row that is none. */
  open: string
  /** The row, when the list has it. */
  row: Log | undefined
  onClose: () => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

const typeWord = (t: TFunction, type: number): string => {
  const words: Record<number, string> = t('states.log', { returnObjects: true })
  return words[type] ?? t('common.unknown')
}

function leadOf(t: TFunction, row: Log): string {
  const time = formatTime(row.created_at)
  if (row.username && row.token_name) return t('logs.panel.lead', { time, user: row.username, token: row.token_name })
  return [time, row.username || row.token_name].filter(Boolean).join(t('common.comma'))
}

/** One row beside the list: where its time and its money went, and why it took that way. */
export function RequestPanel({ open, row: listed, onClose, onUp, onDown }: Props) {
  const { t } = useTranslation()
  const isRequest = !open.startsWith('row-')
  const asked = useQuery({ ...requestQuery(open), enabled: isRequest })
  const row = asked.data?.row ?? listed
  const title = row ? row.model_name || typeWord(t, row.type) : t('logs.panel.label')
  return (
    <SidePanel
      label={t('logs.panel.label')}
      title={title}
      mono={Boolean(row?.model_name)}
      lead={row && leadOf(t, row)}
      entry={open}
      onClose={onClose}
      onUp={onUp}
      onDown={onDown}
    >
      {!row && asked.isLoadingError && <CannotLoad onRetry={asked.refetch} />}
      {!row && !isRequest && <p>{t('logs.panel.notHere')}</p>}
      {row && <Contents row={row} />}
    </SidePanel>
  )
}

function Contents({ row }: { row: Log }) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const isRequest = row.request_id !== '' && row.type === logType.consumption
  const { data } = useQuery({ ...requestQuery(row.request_id), enabled: isRequest })
  const { charge } = detailOf(row.detail)
  const text = rowText(t, row)
  const failed = row.outcome === 'failed'
  const explain = new URLSearchParams({ model: row.model_name, group: row.group || 'default' })
  return (
    <>
      {text !== '' && (failed || !charge) && (
        <p className={styles.text} data-failed={failed || undefined}>
          {text}
        </p>
      )}
      {data && <TimeSteps detail={data} />}
      {charge && <ChargeSum charge={charge} row={data?.row ?? row} costBy={data?.cost_by} />}
      <RequestFacts row={row} />
      {data && data.candidates.length > 0 && <Candidates candidates={data.candidates} />}
      {row.model_name !== '' && (
        <div className={styles.buttons}>
          {isAdmin && (
            <Button component={Link} to={`/routing?${explain}`}>
              {t('logs.panel.explain')}
            </Button>
          )}
          <Button component={Link} to={`/playground?model=${encodeURIComponent(row.model_name)}`}>
            {t('logs.panel.playground')}
          </Button>
        </div>
      )}
    </>
  )
}
