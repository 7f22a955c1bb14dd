import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export interface ListArgs {
  page: number
  pagesize: number
  keyword: string
  order: string
}

/** The things the console lists. All queries about one begin with its name, so that one change makes them all stale. */
export type ListName = 'channels' | 'tokens' | 'users' | 'redemptions' | 'teams'

/** A page of rows. `load` calls the list, or the search when there is a keyword; `whose` tells lists of one name apart. */
export const listQuery =
  <Answer>(name: ListName, load: (args: ListArgs) => Promise<Answer>, whose = 'own') =>
  (args: ListArgs) =>
    queryOptions({
      queryKey: [name, 'list', whose, args],
      queryFn: () => load(args),
      placeholderData: keepPreviousData,
    })
