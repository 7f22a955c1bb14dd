import { useMutation } from '@tanstack/react-query'
import { channelsApi } from '#shared/api/channels.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import type { ChannelFormState } from './channel-values.ts'

/** Asks the provider for its own list and fills it in; a key that was typed is tried before it is saved. */
export function useFetchedModels(form: ChannelFormState, id: number | undefined): () => void {
  const { t } = useTranslation()
  const fetching = useMutation({
    mutationFn: () => {
      const { type, key, base_url, other, proxy } = form.values
      const isSaved = id !== undefined && key.trim() === ''
      return isSaved
        ? call(channelsApi.fetchModels, { id })
        : call(channelsApi.fetchModelsOf, { type, key, base_url, other, proxy })
    },
    onSuccess: ({ models }) => {
      const before = new Set(form.values.models)
      const added = models.filter((model) => !before.has(model)).length
      const gone = form.values.models.filter((model) => !models.includes(model)).length
      form.setFieldValue('models', models)
      toast.success(t('channels.form.fetched', { count: models.length, added, gone }))
    },
  })
  return () => fetching.mutate()
}
