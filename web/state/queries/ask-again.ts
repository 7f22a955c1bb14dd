import type { QueryClient } from '@tanstack/react-query'
import type { ListName } from './list-query.ts'

/** What a change touches: the first part of the queries about it. */
export type ChangedThing = ListName | 'self' | 'options' | 'price-list'

/** What the frame says of things beside their own pages. It stays while pages come and go, so no visit asks for it anew. */
const inFrame: Partial<Record<ChangedThing, string>> = {
  channels: 'attention',
  options: 'attention',
  'price-list': 'attention',
  teams: 'self',
  users: 'self',
}

/** After a change everything that shows such a thing is asked for again. Waits for what pages show of it. */
export function askAgain(queries: QueryClient, ...changed: readonly ChangedThing[]): Promise<unknown> {
  for (const name of new Set(changed.flatMap((thing) => inFrame[thing] ?? [])))
    void queries.invalidateQueries({ queryKey: [name] })
  return Promise.all(changed.map((thing) => queries.invalidateQueries({ queryKey: [thing] })))
}
