/** The order, and the id after which the list goes on. When that id is gone the list begins anew, so that nothing is left out. */
export interface ListPlace {
  readonly order: 'asc' | 'desc'
  readonly after: string | null
  /** How many are wanted. */
  readonly limit: number
}
