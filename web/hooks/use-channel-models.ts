import { useQuery } from '@tanstack/react-query'
import { statusApi } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'
import { readStored, store } from '#web/lib/storage.ts'

async function load() {
  const models = await call(statusApi.models)
  store('channel_models', models)
  return models
}

/** Channel type → names of its models: from memory, else as kept by an earlier visit. An unknown type has none. */
export function useChannelModels(): { ofType: (type: number) => string[]; all: string[] } {
  const { data } = useQuery({
    queryKey: ['channel-models'],
    queryFn: load,
    placeholderData: () => readStored('channel_models'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const models = data ?? {}
  return {
    ofType: (type) => models[type] ?? [],
    all: [...new Set(Object.values(models).flat())].sort(),
  }
}
