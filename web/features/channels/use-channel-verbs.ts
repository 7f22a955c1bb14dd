import { useQueryClient } from '@tanstack/react-query'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { BulkVerb } from '#web/components/table/bulk-bar.tsx'
import { useBulkVerbs } from '#web/hooks/use-bulk.ts'
import type { Selection } from '#web/hooks/use-selection.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { readWhole } from '#web/lib/input/typed-number.ts'
import { toast } from '#web/lib/toast.tsx'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { type FailedTest, testAll } from './test-all.ts'

const shownMax = 5

/** What is set now on the ticked rows that are shown: "100, 90 and more". */
function nowSet(values: readonly (string | number)[], t: TFunction): string {
  const different = [...new Set(values.map(String))].filter(Boolean)
  const shown = different.slice(0, shownMax).join(t('common.comma'))
  return different.length > shownMax ? `${shown} ${t('channels.bulk.more')}` : shown
}

/** What can be done to several channels at once. */
export function useChannelVerbs(
  selection: Selection,
  rows: readonly Channel[],
  onFailed: (failed: readonly FailedTest[]) => void,
): BulkVerb[] {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const undoable = useUndoToast()
  const count = selection.ids.size
  const ticked = rows.filter(({ id }) => selection.ids.has(id))
  const set = async (ids: readonly number[], change: { priority: number } | { tags: string }) => {
    const done = await reporting(call(channelsApi.batch, { ids: [...ids], change }))
    await askAgain(queries, 'channels')
    await undoable(t('table.bulk.changed', { count: done }), { kind: 'channel' })
  }
  const test = async (ids: readonly number[]) => {
    const nameOf = (id: number) => rows.find((row) => row.id === id)?.name ?? `#${id}`
    const failed = await reporting(testAll(ids, nameOf))
    await askAgain(queries, 'channels')
    onFailed(failed)
    if (failed.length === 0) toast.success(t('channels.bulk.tested', { count: ids.length }))
    else toast.warning(t('channels.testsDone', { count: ids.length, failed: failed.length }))
  }
  const now = (values: readonly (string | number)[]) => {
    const text = nowSet(values, t)
    return text === '' ? '' : t('channels.bulk.now', { values: text })
  }
  return useBulkVerbs({
    name: 'channels',
    count,
    change: (ids, status) => call(channelsApi.batch, { ids, change: { status } }),
    remove: (ids) => call(channelsApi.removeBatch, { ids }),
    on: channelStatus.enabled,
    off: channelStatus.manuallyDisabled,
    consequence: t('channels.bulk.deleteText'),
    more: [
      { label: t('channels.test'), run: test },
      {
        label: t('channels.bulk.setTag'),
        run: (ids, tags) => set(ids, { tags }),
        value: {
          title: t('channels.bulk.tagOf', { count }),
          hint: `${now(ticked.map(({ tags }) => tags))} ${t('channels.bulk.tagHint')}`.trim(),
          verb: t('channels.bulk.setTag'),
          fault: () => null,
        },
      },
      {
        label: t('channels.bulk.setPriority'),
        run: (ids, value) => set(ids, { priority: readWhole(value) ?? 0 }),
        value: {
          title: t('channels.bulk.priorityOf', { count }),
          hint: `${now(ticked.map(({ priority }) => priority))} ${t('channels.bulk.priorityHint')}`.trim(),
          verb: t('channels.bulk.setPriority'),
          fault: (value) => (readWhole(value) === undefined ? t('channels.bulk.notWhole') : null),
        },
      },
    ],
  })
}
