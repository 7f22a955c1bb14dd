export interface ChartSeries {
  readonly key: string
  readonly label: string
  /** A CSS colour. */
  readonly color: string
  /** By bucket; not a number where there is nothing to say. */
  readonly values: readonly number[]
  /** Of the whole period. */
  readonly total: number
  /** Whether a click on its name sets a filter. */
  readonly canFilter: boolean
}
