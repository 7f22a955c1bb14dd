import { keepPreviousData, queryOptions } from '@tanstack/react-query'

export interface ListArgs {
  page: number
  pagesize: number
  keyword: string
  order: string
  /** Whose, where a list is a team's. */
  team_id?: number
}

/** The things the console lists. All queries about one begin with its name, so that one change makes them all stale. */
export type ListName = 'channels' | 'tokens' | 'users' | 'redemptions' | 'teams'

/** A page of rows. `load` calls the list, or the search when there is a keyword. */
export const listQuery =
  <Answer>(name: ListName, load: (args: ListArgs) => Promise<Answer>) =>
  (args: ListArgs) =>
    queryOptions({ queryKey: [name, 'list', args], queryFn: () => load(args), placeholderData: keepPreviousData })
