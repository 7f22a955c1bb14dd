import styles from './chart.module.css'
import { fittingTicks } from './fitting-ticks.ts'
import { margin, type Scales } from './plot-scales.ts'

interface TicksProps {
  readonly scales: Scales
  readonly ticks: readonly (string | null)[]
  readonly width: number
  readonly height: number
}

/** Words under those buckets that have room for them. */
export const BucketTicks = ({ scales: { middle }, ticks, width, height }: TicksProps) =>
  fittingTicks(ticks, middle, width).map(({ bucket, word, anchor }) => (
    <text key={bucket} x={middle(bucket)} y={height - 6} textAnchor={anchor} className={styles.axis}>
      {word}
    </text>
  ))

/** The line through the bucket the reader looks at. */
export const Crosshair = ({ scales: { middle, y }, at }: { scales: Scales; at: number }) => (
  <g stroke="var(--mantine-color-text)" fill="var(--mantine-color-text)">
    <line x1={middle(at)} x2={middle(at)} y1={margin.top} y2={y(0)} />
    <rect x={middle(at) - 2.5} y={margin.top - 6} width="5" height="5" />
  </g>
)

interface ChangesProps {
  readonly scales: Scales
  /** How many changes each bucket has. */
  readonly changes: readonly number[]
  readonly starts: readonly number[]
}

/** A square on the base of each bucket in which something was changed. */
export const ChangeMarks = ({ scales: { middle, y }, changes, starts }: ChangesProps) =>
  changes.map(
    (count, bucket) =>
      count > 0 && (
        <rect
          key={starts[bucket]}
          className={styles.change}
          x={middle(bucket) - 3.5}
          y={y(0) - 3.5}
          width="7"
          height="7"
        />
      ),
  )
