import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
  const [kept] = useState(() => readStored('channel_models'))
  const { data } = useQuery({
    queryKey: ['channel-models'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const models = data ?? kept ?? {}
  return {
    ofType: (type) => models[type] ?? [],
    all: [...new Set(Object.values(models).flat())].sort(),
  }
}
