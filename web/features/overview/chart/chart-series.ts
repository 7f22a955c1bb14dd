export interface ChartSeries {
  readonly key: string
  readonly label: string
  /** A CSS colour. */
  readonly color: string
  readonly values: readonly number[]
  /** Whether a click on its name sets a filter. */
  readonly canFilter: boolean
}
