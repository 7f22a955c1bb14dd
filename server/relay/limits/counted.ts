/** Where a request was counted, and when. */
export interface Counted {
  readonly key: string
  readonly at: number
}
