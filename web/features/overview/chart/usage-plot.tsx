import { useElementSize } from '@mantine/hooks'
import { type MouseEvent, type PointerEvent, useState } from 'react'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { AxisLines } from './axis-lines.tsx'
import { Bars } from './bars.tsx'
import styles from './chart.module.css'
import type { ChartSeries } from './chart-series.ts'
import { useCrosshair } from './crosshair.ts'
import { Lines } from './lines.tsx'
import { BucketTicks, ChangeMarks, Crosshair } from './plot-marks.tsx'
import { margin, scalesOf } from './plot-scales.ts'
import { SeriesLabels } from './series-labels.tsx'
import { Tracks } from './tracks.tsx'
import { useChanges } from './use-changes.ts'

/** What it is compared with. */
export interface Compared {
  readonly totals: readonly number[]
  readonly total: number
  /** Names of its buckets, and of the whole. */
  readonly names: readonly string[]
  readonly name: string
}

export interface UsagePlotProps {
  /** Says what is drawn. */
  readonly label: string
  readonly drawn: 'bars' | 'lines'
  readonly names: readonly string[]
  /** Where each bucket begins, and where the last one ends. */
  readonly starts: readonly number[]
  readonly end: number
  /** A word under some of the buckets. */
  readonly ticks: readonly (string | null)[]
  /** The largest first. */
  readonly series: readonly ChartSeries[]
  readonly totals: readonly number[]
  readonly total: number
  readonly compared: Compared | null
  readonly isLastRunning: boolean
  /** Whether the changes in History are marked. */
  readonly marksChanges: boolean
  readonly format: (value: number) => string
  readonly totalName: string
  readonly formatTotal: (value: number) => string
  readonly onPick: (key: string, leaveOut: boolean) => void
  readonly onOpen: (bucket: number) => void
  readonly onChanges: (bucket: number) => void
}

const lastOf = (values: readonly number[]) => values.findLast((value) => !Number.isNaN(value)) ?? 0

/** Where each series ends at the right: the middle of its segment of the last bar, or its last point. */
function endsOf(series: readonly ChartSeries[], y: (value: number) => number, isStacked: boolean) {
  let below = 0
  return series.map(({ key, color, values }) => {
    const value = Math.max(0, lastOf(values))
    const bottom = below
    below += value
    return { key, color, y: isStacked ? (y(bottom) + y(below)) / 2 : y(value) }
  })
}

/** How near to a square a click means it, in pixels. */
const nearSquare = 8

/** A measure by bucket. One stop of the Tab key; arrows move from bucket to bucket, the labels say what stands there. */
export function UsagePlot(props: UsagePlotProps) {
  const { t } = useTranslation()
  const { names, ticks, series, totals, compared, format, formatTotal } = props
  const phone = usePhone()
  const { ref, width } = useElementSize()
  const [lit, setLit] = useState<string | null>(null)
  const changes = useChanges(props.marksChanges, props.starts, props.end)
  const onChanges = (bucket: number) => (changes[bucket] ?? 0) > 0 && props.onChanges(bucket)
  const { at, setAt, onKeyDown } = useCrosshair(names.length, { onOpen: props.onOpen, onChanges })
  const height = phone ? 196 : 248
  const right = phone ? 4 : margin.right
  const isBars = props.drawn === 'bars'
  const known = isBars ? totals : series.flatMap(({ values }) => values.filter((value) => !Number.isNaN(value)))
  const top = Math.max(1e-9, ...known, ...(isBars ? (compared?.totals ?? []) : []))
  const scales = scalesOf(names.length, top, format, { width, height, right })
  const { axis, y, middle } = scales
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - axis.width
    const bucket = Math.floor(left / scales.step)
    if (bucket >= 0 && bucket < names.length) setAt(bucket)
  }
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    if (at === null) return
    const fromBase = event.clientY - event.currentTarget.getBoundingClientRect().top - y(0)
    if ((changes[at] ?? 0) > 0 && Math.abs(fromBase) <= nearSquare) props.onChanges(at)
    else props.onOpen(at)
  }
  const changed = (bucket: number) => t('overview.changes', { count: changes[bucket] ?? 0 })
  const shown = at ?? names.length - 1
  const readout = [
    `${names[shown]}: ${props.totalName} ${formatTotal(totals[shown] ?? 0)}`,
    ...(isBars ? [] : series.map(({ label, values }) => `${label} ${format(values[shown] ?? 0)}`)),
    ...((changes[shown] ?? 0) > 0 ? [changed(shown)] : []),
  ].join(t('common.comma'))
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
        aria-valuemax={names.length - 1}
        aria-valuenow={shown}
        aria-valuetext={readout}
        aria-keyshortcuts={props.marksChanges ? 'Enter Shift+Enter' : 'Enter'}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        <svg
          width="100%"
          height={height}
          aria-hidden="true"
          onPointerMove={onPointerMove}
          onPointerLeave={() => setAt(null)}
          onClick={onClick}
        >
          <AxisLines axis={axis} y={y} right={width - right} />
          {isBars ? (
            <Bars
              {...{ scales, series, totals, isDim }}
              compared={compared?.totals ?? null}
              isLastRunning={props.isLastRunning}
            />
          ) : (
            <Lines {...{ scales, series, at, isDim }} />
          )}
          <BucketTicks {...{ scales, ticks, width, height }} />
          {at !== null && <Crosshair scales={scales} at={at} />}
          <ChangeMarks {...{ scales, changes }} starts={props.starts} />
          {!phone && (
            <Tracks
              from={endsOf(series, y, isBars)}
              left={(isBars ? scales.left(names.length - 1) + scales.band : middle(names.length - 1)) + 3}
              right={width}
              height={height}
              second={compared !== null}
            />
          )}
        </svg>
      </div>
      <SeriesLabels
        head={at === null ? props.totalName : (names[at] ?? '')}
        total={formatTotal(at === null ? props.total : (totals[at] ?? 0))}
        second={
          compared && {
            name: at === null ? compared.name : (compared.names[at] ?? ''),
            amount: formatTotal(at === null ? compared.total : (compared.totals[at] ?? 0)),
          }
        }
        note={at !== null && (changes[at] ?? 0) > 0 ? changed(at) : ''}
        series={series}
        amountOf={({ values, total }) => format(at === null ? total : (values[at] ?? 0))}
        onLight={setLit}
        onPick={props.onPick}
      />
    </div>
  )
}
