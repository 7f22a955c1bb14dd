import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type HistoryEntry, historyApi } from '#shared/api/history.ts'
import { csvLine } from '#shared/csv.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { call } from '#web/lib/api.ts'
import { downloadText } from '#web/lib/download.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { HistoryFilter } from '#web/state/queries/history-queries.ts'

const columns = ['id', 'time', 'actor', 'address', 'kind', 'target', 'name', 'count', 'undone_by'] as const

/** Entries the filter shows, page after page; what is written meanwhile does not move them. */
async function readAll(filter: HistoryFilter): Promise<HistoryEntry[]> {
  const before = Math.floor(Date.now() / 1000) + 1
  const all = new Map<number, HistoryEntry>()
  for (let page = 1; ; page += 1) {
    const { list } = await call(historyApi.list, { ...filter, to: before, page, pagesize: pageSizeMax })
    for (const entry of list) all.set(entry.id, entry)
    if (list.length < pageSizeMax) return [...all.values()]
  }
}

const written = {
  csv: (entries: readonly HistoryEntry[]) =>
    csvLine([...columns, 'before', 'after']) +
    entries
      .map((entry) =>
        csvLine([...columns.map((name) => entry[name]), JSON.stringify(entry.before), JSON.stringify(entry.after)]),
      )
      .join(''),
  jsonl: (entries: readonly HistoryEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
}

/** What the filter shows as a file. Secrets are as covered there as on the screen. */
export function HistoryExport({ filter, total }: { filter: HistoryFilter; total: number }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = (format: keyof typeof written) => async () => {
    setBusy(true)
    try {
      downloadText(`history.${format}`, written[format](await reporting(readAll(filter))))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionMenu
      target={
        <Button loading={busy} disabled={total === 0} leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}>
          {t('history.export')}
        </Button>
      }
      entries={[
        { label: t('history.exportCsv'), run: save('csv') },
        { label: t('history.exportJsonl'), run: save('jsonl') },
      ]}
    />
  )
}
