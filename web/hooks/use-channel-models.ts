import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readStored } from '#web/lib/storage.ts'
import { typeModelsQuery } from '#web/state/queries/site-queries.ts'

/** Channel type → names of its models: from memory, else as kept by an earlier visit. An unknown type has none. */
export function useChannelModels(): { ofType: (type: number) => string[]; all: string[] } {
  const [kept] = useState(() => readStored('channel_models'))
  const { data } = useQuery(typeModelsQuery)
  const models = data ?? kept ?? {}
  return {
    ofType: (type) => models[type] ?? [],
    all: [...new Set(Object.values(models).flat())].sort(),
  }
}
