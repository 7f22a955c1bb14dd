import { useQueryClient } from '@tanstack/react-query'
import type { HistoryKind } from '#shared/api/history.ts'
import type { BulkVerb } from '#web/components/table/bulk-bar.tsx'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import type { ListName } from '#web/state/queries/list-query.ts'
import { useUndoToast } from './use-undo.ts'

interface Batch {
  name: ListName
  /** How many rows are ticked. */
  count: number
  change: (ids: number[], status: number) => Promise<number>
  remove: (ids: string) => Promise<number>
  on: number
  off: number
  /** What deleting them means. */
  consequence: string
  /** Between enabling and deleting. */
  more?: readonly BulkVerb[]
}

/** What the history calls the things of a list. */
const kinds: Record<ListName, HistoryKind> = {
  channels: 'channel',
  tokens: 'token',
  users: 'user',
  redemptions: 'redemption',
  teams: 'team',
}

/** Enable, disable and delete for the ticked rows of a list; the list is read again after each. */
export function useBulkVerbs({ name, count, change, remove, on, off, consequence, more = [] }: Batch): BulkVerb[] {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const undoable = useUndoToast()
  const doing = (words: 'enabled' | 'disabled' | 'deleted', work: (ids: readonly number[]) => Promise<number>) => ({
    run: async (ids: readonly number[]) => {
      const done = await reporting(work(ids))
      await askAgain(queries, name)
      await undoable(t(`table.bulk.${words}`, { count: done }), {
        kind: kinds[name],
        ...(ids.length === 1 && ids[0] !== undefined ? { target: ids[0] } : {}),
      })
    },
  })
  return [
    { label: t('common.enable'), ...doing('enabled', (ids) => change([...ids], on)) },
    { label: t('common.disable'), ...doing('disabled', (ids) => change([...ids], off)) },
    ...more,
    {
      label: t('common.delete'),
      danger: true,
      confirm: { title: t('table.bulk.deleteTitle', { count }), consequence, verb: t('common.delete') },
      ...doing('deleted', (ids) => remove(ids.join(','))),
    },
  ]
}
