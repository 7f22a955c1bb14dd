import { stack } from '@visx/shape'
import { useId } from 'react'
import type { ChartSeries } from './chart-series.ts'
import type { Scales } from './plot-scales.ts'

interface Props {
  readonly scales: Scales
  readonly series: readonly ChartSeries[]
  readonly totals: readonly number[]
  readonly compared: readonly number[] | null
  readonly isLastRunning: boolean
  readonly isDim: (key: string) => boolean
}

const heightOf = (series: ChartSeries | undefined, bucket: number): number => Math.max(0, series?.values[bucket] ?? 0)

/** Sums by bucket, the largest series at the bottom; a tick across each bar is what it is compared with. */
export function Bars({ scales: { y, left, band }, series, totals, compared, isLastRunning, isDim }: Props) {
  const hatch = useId()
  const layers = stack<number, string>({
    keys: series.map(({ key }) => key),
    value: (bucket, key) =>
      heightOf(
        series.find((each) => each.key === key),
        bucket,
      ),
  })(totals.map((_, bucket) => bucket))
  const last = totals.length - 1
  const top = y(totals[last] ?? 0)
  return (
    <>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="3" height="6" fill="var(--mantine-color-body)" opacity="0.55" />
        </pattern>
      </defs>
      {layers.map((layer) => (
        <path
          key={layer.key}
          d={layer.map((segment) => barPath(left(segment.data), band, y(segment[0]), y(segment[1]))).join('')}
          fill={series.find(({ key }) => key === layer.key)?.color}
          opacity={isDim(layer.key) ? 0.28 : 1}
        />
      ))}
      {isLastRunning && last >= 0 && (
        <rect x={left(last)} y={top} width={band} height={Math.max(0, y(0) - top)} fill={`url(#${hatch})`} />
      )}
      <path
        d={(compared ?? [])
          .map((value, bucket) => (value > 0 ? `M${left(bucket) - 1} ${y(value)}h${band + 2}` : ''))
          .join('')}
        stroke="var(--sy-ink-2)"
        strokeWidth="1.5"
      />
    </>
  )
}

/** A segment with a gap of one pixel above it. */
const barPath = (left: number, width: number, bottom: number, top: number): string =>
  bottom - top < 0.25 ? '' : `M${left} ${bottom}h${width}V${Math.min(bottom - 0.5, top + 1)}h${-width}z`
