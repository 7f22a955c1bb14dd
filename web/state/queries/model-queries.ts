import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ownReport } from '#web/lib/failures.ts'

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** The models a token reaches, as the relay's own door lists them. */
export const doorModels = (tokenId: number, key: string) =>
  queryOptions({
    queryKey: ['tokens', tokenId, 'models'],
    queryFn: async () => {
      const answer = await fetch('/v1/models', { headers: { authorization: `Bearer ${key}` }, credentials: 'omit' })
      const parsed = ModelList.safeParse(await answer.json().catch(() => null))
      return parsed.success ? parsed.data.data.map(({ id }) => id).sort() : []
    },
    staleTime: 60_000,
    meta: ownReport,
  })
