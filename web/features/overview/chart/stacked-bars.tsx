import { useElementSize } from '@mantine/hooks'
import { scaleBand, scaleLinear } from '@visx/scale'
import { stack } from '@visx/shape'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { usePhone } from '#web/hooks/use-phone.ts'
import { axisOf } from './axis.ts'
import styles from './chart.module.css'
import type { ChartSeries } from './chart-series.ts'
import { SeriesLabels } from './series-labels.tsx'
import { Tracks } from './tracks.tsx'

export interface StackedBarsProps {
  /** Says what is drawn. */
  readonly label: string
  readonly buckets: readonly string[]
  /** A word under some of the bars. */
  readonly ticks: readonly (string | null)[]
  /** The largest first. */
  readonly series: readonly ChartSeries[]
  /** Totals of the period it is compared with, by bucket. */
  readonly compared: readonly number[] | null
  readonly isLastRunning: boolean
  readonly format: (value: number) => string
  readonly totalLabel: string
  readonly onPick: (key: string, leaveOut: boolean) => void
  readonly onOpen: (bucket: number) => void
}

const margin = { top: 12, bottom: 24, right: 44 }

/** Sums by bucket, the largest series at the bottom. One stop of the Tab key; arrows move from bucket to bucket. */
export function StackedBars(props: StackedBarsProps) {
  const { buckets, ticks, series, compared, isLastRunning, format } = props
  const phone = usePhone()
  const { ref, width } = useElementSize()
  const hatch = useId()
  const [at, setAt] = useState<number | null>(null)
  const [lit, setLit] = useState<string | null>(null)
  const height = phone ? 196 : 248
  const right = phone ? 4 : margin.right
  const totals = buckets.map((_, bucket) =>
    series.reduce((sum, { values }) => sum + Math.max(0, values[bucket] ?? 0), 0),
  )
  const top = Math.max(1e-9, ...totals, ...(compared ?? []))
  const y = scaleLinear({ domain: [0, top], range: [height - margin.bottom, margin.top], nice: 4 })
  const axis = axisOf(y.ticks(4), format)
  const x = scaleBand({
    domain: buckets.map((_, bucket) => bucket),
    range: [axis.width, Math.max(axis.width + 1, width - right)],
    padding: 0.28,
  })
  const keys = series.map(({ key }) => key)
  const layers = stack<number, string>({
    keys,
    value: (bucket, key) => Math.max(0, series.find((each) => each.key === key)?.values[bucket] ?? 0),
  })(buckets.map((_, bucket) => bucket))
  const move = (to: number) => setAt(Math.min(buckets.length - 1, Math.max(0, to)))
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? buckets.length - 1
    const steps: Record<string, () => void> = {
      ArrowLeft: () => move(now - 1),
      ArrowRight: () => move(now + 1),
      PageUp: () => move(now - 7),
      PageDown: () => move(now + 7),
      Home: () => move(0),
      End: () => move(buckets.length - 1),
      Enter: () => props.onOpen(now),
      Escape: () => setAt(null),
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    step()
  }
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - axis.width
    const bucket = Math.floor(left / x.step())
    if (bucket >= 0 && bucket < buckets.length) setAt(bucket)
  }
  const shown = at ?? null
  const readout = (bucket: number) => `${buckets[bucket]}: ${format(totals[bucket] ?? 0)}`
  const isDim = (key: string) => lit !== null && lit !== key
  return (
    <div className={styles.frame}>
      <div
        ref={ref}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={buckets.length - 1}
        aria-valuenow={shown ?? buckets.length - 1}
        aria-valuetext={readout(shown ?? buckets.length - 1)}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        <svg
          width="100%"
          height={height}
          aria-hidden="true"
          onPointerMove={onPointerMove}
          onPointerLeave={() => setAt(null)}
          onClick={() => shown !== null && props.onOpen(shown)}
        >
          <defs>
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="6" fill="var(--mantine-color-body)" opacity="0.55" />
            </pattern>
          </defs>
          {axis.ticks.map(({ value, label }) => (
            <g key={value}>
              <line x1={axis.width} x2={width - right} y1={y(value)} y2={y(value)} stroke="var(--sy-line)" />
              <text x={axis.width - 8} y={y(value) + 4} textAnchor="end" className={styles.axis}>
                {label}
              </text>
            </g>
          ))}
          {layers.map((layer) => (
            <path
              key={layer.key}
              d={layer
                .map((segment) => barPath(x(segment.data) ?? 0, x.bandwidth(), y(segment[0]), y(segment[1])))
                .join('')}
              fill={series.find(({ key }) => key === layer.key)?.color}
              opacity={isDim(layer.key) ? 0.28 : 1}
            />
          ))}
          {isLastRunning && buckets.length > 0 && (
            <rect
              x={x(buckets.length - 1) ?? 0}
              y={y(totals.at(-1) ?? 0)}
              width={x.bandwidth()}
              height={Math.max(0, y(0) - y(totals.at(-1) ?? 0))}
              fill={`url(#${hatch})`}
            />
          )}
          {compared?.map(
            (value, bucket) =>
              value > 0 && (
                <line
                  key={buckets[bucket]}
                  x1={(x(bucket) ?? 0) - 1}
                  x2={(x(bucket) ?? 0) + x.bandwidth() + 1}
                  y1={y(value)}
                  y2={y(value)}
                  stroke="var(--sy-ink-2)"
                  strokeWidth="1.5"
                />
              ),
          )}
          {ticks.map(
            (tick, bucket) =>
              tick !== null && (
                <text
                  key={tick}
                  x={(x(bucket) ?? 0) + x.bandwidth() / 2}
                  y={height - 6}
                  textAnchor={(x(bucket) ?? 0) > width - 28 ? 'end' : 'middle'}
                  className={styles.axis}
                >
                  {tick}
                </text>
              ),
          )}
          {shown !== null && (
            <g stroke="var(--mantine-color-text)" fill="var(--mantine-color-text)">
              <line
                x1={(x(shown) ?? 0) + x.bandwidth() / 2}
                x2={(x(shown) ?? 0) + x.bandwidth() / 2}
                y1={margin.top}
                y2={y(0)}
              />
              <rect x={(x(shown) ?? 0) + x.bandwidth() / 2 - 2.5} y={margin.top - 6} width="5" height="5" />
            </g>
          )}
          {!phone && (
            <Tracks
              from={layers.map((layer) => ({
                key: layer.key,
                y: (y(layer.at(-1)?.[0] ?? 0) + y(layer.at(-1)?.[1] ?? 0)) / 2,
                color: series.find(({ key }) => key === layer.key)?.color ?? '',
              }))}
              left={(x(buckets.length - 1) ?? 0) + x.bandwidth() + 3}
              right={width}
              height={height}
            />
          )}
        </svg>
      </div>
      <SeriesLabels
        head={shown === null ? props.totalLabel : (buckets[shown] ?? '')}
        total={format(shown === null ? totals.reduce((sum, value) => sum + value, 0) : (totals[shown] ?? 0))}
        series={series}
        amountOf={({ values }) =>
          format(shown === null ? values.reduce((sum, value) => sum + value, 0) : (values[shown] ?? 0))
        }
        onLight={setLit}
        onPick={props.onPick}
      />
    </div>
  )
}

/** A segment with a gap of one pixel above it. */
const barPath = (left: number, width: number, bottom: number, top: number): string =>
  bottom - top < 0.25 ? '' : `M${left} ${bottom}h${width}V${Math.min(bottom - 0.5, top + 1)}h${-width}z`
