import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type HistoryEntry, historyApi } from '#shared/api/history.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'

/** Undoes an entry. It may have touched anything, so everything that is shown is read again. */
export function useUndo(onDone: (entry: HistoryEntry) => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(historyApi.undo, { id }),
    onSuccess: async (entry) => {
      toast.success(t('history.undone'))
      onDone(entry)
      await queries.invalidateQueries()
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['history'] }),
  })
}
