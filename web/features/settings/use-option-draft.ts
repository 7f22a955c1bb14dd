import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { optionsApi } from '#shared/api/options.ts'
import type { OptionKey } from '#shared/options.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { optionsQuery } from '#web/state/queries/option-queries.ts'
import { statusQuery } from '#web/state/status.tsx'
import { type EditedOptions, inSavingOrder, isChanged, optionProblem, sentText, textOf } from './option-text.ts'

export interface OptionDraft {
  loading: boolean
  /** What is stored could not be had. */
  failed: boolean
  reload: () => Promise<unknown>
  text: (key: OptionKey) => string
  set: (key: OptionKey, text: string) => void
  changed: (key: OptionKey) => boolean
  /** Whether anything was changed and not saved, on any tab. */
  edited: boolean
  /** What is wrong with a changed option. */
  fault: (key: OptionKey) => string | null
  discard: (keys: readonly OptionKey[]) => void
  save: (keys: readonly OptionKey[]) => void
  saving: boolean
}

const without = (draft: EditedOptions, keys: readonly OptionKey[]): EditedOptions =>
  Object.fromEntries(Object.entries(draft).filter(([key]) => !keys.includes(key as OptionKey)))

/** The options as they are stored, and what has been changed here but not saved. */
export function useOptionDraft(enabled: boolean): OptionDraft {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const query = useQuery({ ...optionsQuery, enabled })
  const stored = query.data ?? {}
  const [draft, setDraft] = useState<EditedOptions>({})
  const text = (key: OptionKey) => textOf(key, stored, draft)
  const changed = (key: OptionKey) => isChanged(key, stored, draft)
  const saving = useMutation({
    mutationFn: async (keys: readonly OptionKey[]) => {
      for (const key of inSavingOrder(keys.filter(changed), text)) {
        const drafted = text(key)
        const value = sentText(key, drafted)
        await call(optionsApi.update, { key, value })
        queries.setQueryData(optionsQuery.queryKey, (before) => ({ ...before, [key]: value }))
        // What was typed while it was being saved is still to be saved.
        setDraft((before) => (before[key] === drafted ? without(before, [key]) : before))
      }
    },
    onSuccess: () => toast.success(t('common.done')),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: statusQuery.queryKey })
      return askAgain(queries, 'options')
    },
  })
  return {
    loading: enabled && query.isPending,
    failed: query.isLoadingError,
    reload: query.refetch,
    text,
    set: (key, next) => setDraft((before) => ({ ...before, [key]: next })),
    changed,
    edited: Object.keys(draft).some((key) => changed(key as OptionKey)),
    fault: (key) => (changed(key) ? optionProblem(key, text(key)) : null),
    discard: (keys) => setDraft((before) => without(before, keys)),
    save: saving.mutate,
    saving: saving.isPending,
  }
}
