import { useElementSize } from '@mantine/hooks'
import { scaleLinear } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { type KeyboardEvent, useState } from 'react'
import { quotaPerUnitDefault } from '#shared/quota.ts'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { axisOf } from './axis.ts'
import { AxisLines } from './axis-lines.tsx'
import styles from './chart.module.css'

export interface BurnUpProps {
  readonly label: string
  /** Names of the days of the month. */
  readonly days: readonly string[]
  /** What was spent up to the end of each day so far. */
  readonly spent: readonly number[]
  readonly forecast: { readonly quota: number; readonly low: number; readonly high: number } | null
  /** 0: none. */
  readonly budget: number
  readonly words: { readonly budget: string; readonly now: string; readonly forecast: string }
  readonly format: (value: number) => string
}

const margin = { top: 20, bottom: 24 }
/** Words at the end of the forecast. */
const wordsWidth = 112

interface ForecastProps {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
  readonly amount: string
  readonly word: string | null
}

/** The line from now to what the month will come to, beginning beside the square that stands on now. */
function ForecastEnd({ from, to, amount, word }: ForecastProps) {
  const begun = 7 / Math.max(8, to.x - from.x)
  return (
    <>
      <line
        x1={from.x + 7}
        y1={from.y + (to.y - from.y) * begun}
        x2={to.x}
        y2={to.y}
        stroke="var(--sy-edge)"
        strokeWidth="2"
      />
      <rect
        x={to.x - 3.5}
        y={to.y - 3.5}
        width="7"
        height="7"
        fill="var(--mantine-color-body)"
        stroke="var(--sy-edge)"
        strokeWidth="1.5"
      />
      <text x={to.x + 10} y={to.y - 2} className={styles.strong}>
        {amount}
      </text>
      {word !== null && (
        <text x={to.x + 10} y={to.y + 13} className={styles.axis}>
          {word}
        </text>
      )}
    </>
  )
}

/** The running total of the month: a solid line up to now, then the forecast. */
export function BurnUp({ label, days, spent, forecast, budget, words, format }: BurnUpProps) {
  const { ref, width } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const last = Math.max(0, spent.length - 1)
  const now = spent[last] ?? 0
  const phone = usePhone()
  const height = phone ? 196 : 280
  const right = phone ? 56 : wordsWidth
  const top = Math.max(now, forecast?.high ?? 0, budget)
  const y = scaleLinear({
    // Where nothing was spent yet the lines stand for one dollar, not for its smallest part.
    domain: [0, top > 0 ? top : quotaPerUnitDefault],
    range: [height - margin.bottom, margin.top],
    nice: 4,
  })
  const axis = axisOf(y.ticks(4), format)
  const x = scaleLinear({
    domain: [0, Math.max(1, days.length - 1)],
    range: [axis.width, Math.max(axis.width + 1, width - right)],
  })
  const points = spent.map((value, day) => ({ day, value }))
  const end = days.length - 1
  const shown = at === null ? last : Math.min(at, last)
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number | null> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      Home: 0,
      End: last,
      Escape: null,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    setAt(next === null ? null : Math.min(last, Math.max(0, next)))
  }
  // Under a low point the words would stand on the axis.
  const isLow = y(now) + 40 > height - margin.bottom
  const band = forecast && `M${x(last)} ${y(now)}L${x(end)} ${y(forecast.high)}V${y(forecast.low)}z`
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={`${days[shown] ?? ''}: ${format(spent[shown] ?? 0)}`}
      className={styles.plot}
      onKeyDown={onKeyDown}
      onBlur={() => setAt(null)}
    >
      <svg width="100%" height={height} aria-hidden="true">
        <AxisLines axis={axis} y={y} right={width - right} />
        {days.map(
          (day, index) =>
            (index === 0 || (index + 1) % (phone ? 10 : 5) === 0) && (
              <text key={day} x={x(index)} y={height - 6} textAnchor="middle" className={styles.axis}>
                {index === 0 ? day : index + 1}
              </text>
            ),
        )}
        <line x1={x(last)} x2={x(last)} y1={margin.top} y2={y(0)} stroke="var(--sy-line)" />
        {budget > 0 && (
          <g>
            <line
              x1={axis.width}
              x2={width - right}
              y1={y(budget)}
              y2={y(budget)}
              stroke="var(--sy-edge)"
              strokeDasharray="4 4"
            />
            <text x={axis.width + 4} y={y(budget) + 15} className={styles.axis}>
              {words.budget}
            </text>
          </g>
        )}
        {band && <path d={band} fill="var(--mantine-color-gray-light)" />}
        {forecast && end > last && (
          <ForecastEnd
            from={{ x: x(last), y: y(now) }}
            to={{ x: x(end), y: y(forecast.quota) }}
            amount={format(forecast.quota)}
            word={phone ? null : words.forecast}
          />
        )}
        <LinePath
          data={points}
          x={({ day }) => x(day)}
          y={({ value }) => y(value)}
          stroke="var(--sy-accent)"
          strokeWidth={2}
          fill="none"
        />
        <rect x={x(shown) - 3.5} y={y(spent[shown] ?? 0) - 3.5} width="7" height="7" fill="var(--sy-accent)" />
        <text x={x(last) + 8} y={y(now) + (isLow ? -24 : 18)} className={styles.strong}>
          {format(spent[shown] ?? 0)}
        </text>
        <text x={x(last) + 8} y={y(now) + (isLow ? -9 : 33)} className={styles.axis}>
          {at === null ? words.now : (days[shown] ?? '')}
        </text>
      </svg>
    </div>
  )
}
