import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type HistoryEntry, historyApi } from '#shared/api/history.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'

/** Undoes an entry. It may have touched anything, so everything that is shown is read again. */
export function useUndo(onDone?: (entry: HistoryEntry) => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(historyApi.undo, { id }),
    onSuccess: async (entry) => {
      toast.success(t('common.undone'))
      onDone?.(entry)
      await queries.invalidateQueries()
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['history'] }),
  })
}

/** By what the entry of a change is known: nothing else that happened meanwhile is offered. */
export interface Changed {
  kind: HistoryEntry['kind']
  /** The only thing that changed. */
  target?: number | string
  /** How many things changed. */
  count?: number
}

/** Shows what was done and, to those with the right, an undo button. */
export function useUndoToast(): (words: string, changed: Changed) => Promise<void> {
  const { t } = useTranslation()
  const { user, isAdmin } = useUser()
  const { mutate } = useUndo()
  const entryOf = async ({ kind, target, count }: Changed): Promise<HistoryEntry | undefined> => {
    if (!isAdmin) return undefined
    const { list } = await call(historyApi.list, { actor: String(user?.id ?? 0), kind, pagesize: 1 })
    const [entry] = list
    const isIt =
      entry !== undefined &&
      (target === undefined || entry.target === String(target)) &&
      (count === undefined || entry.count === count)
    return isIt && entry.undoable ? entry : undefined
  }
  return async (words, changed) => {
    const entry = await entryOf(changed).catch(() => undefined)
    const action = entry && { label: t('common.undo'), hint: t('common.undoLater'), run: () => mutate(entry.id) }
    toast.success(words, action && { action })
  }
}
