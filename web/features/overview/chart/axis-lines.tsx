import type { axisOf } from './axis.ts'
import styles from './chart.module.css'

interface Props {
  readonly axis: ReturnType<typeof axisOf>
  readonly y: (value: number) => number
  /** Where the lines end. */
  readonly right: number
}

/** Gridlines with their amounts at the left. */
export const AxisLines = ({ axis, y, right }: Props) =>
  axis.ticks.map(({ value, label }) => (
    <g key={value}>
      <line x1={axis.width} x2={right} y1={y(value)} y2={y(value)} stroke="var(--sy-line)" />
      <text x={axis.width - 8} y={y(value) + 4} textAnchor="end" className={styles.axis}>
        {label}
      </text>
    </g>
  ))
