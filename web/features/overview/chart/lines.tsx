import type { ChartSeries } from './chart-series.ts'
import type { Scales } from './plot-scales.ts'

interface Props {
  readonly scales: Scales
  readonly series: readonly ChartSeries[]
  /** The bucket under the crosshair. */
  readonly at: number | null
  readonly isDim: (key: string) => boolean
}

const isKnown = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value)

/** Whether nothing is known on either side, so that there is no line to see. */
const isAlone = (values: readonly number[], at: number): boolean =>
  isKnown(values[at]) && !isKnown(values[at - 1]) && !isKnown(values[at + 1])

/** Rates and times: a line a series, with a gap where nothing is known. */
export function Lines({ scales: { y, middle }, series, at, isDim }: Props) {
  return (
    <>
      {series.map(({ key, color, values }) => (
        <g key={key} opacity={isDim(key) ? 0.28 : 1}>
          <path
            d={values
              .map((value, bucket) => {
                if (Number.isNaN(value)) return ''
                const isFirst = bucket === 0 || Number.isNaN(values[bucket - 1])
                return `${isFirst ? 'M' : 'L'}${middle(bucket)} ${y(value)}${isFirst ? 'h.01' : ''}`
              })
              .join('')}
            fill="none"
            stroke={color}
            strokeWidth="2"
            strokeLinecap="square"
          />
          {values.map((value, bucket) =>
            isAlone(values, bucket) ? (
              <rect key={middle(bucket)} x={middle(bucket) - 2} y={y(value) - 2} width="4" height="4" fill={color} />
            ) : null,
          )}
          {at !== null && isKnown(values[at]) && (
            <rect
              x={middle(at) - 3.5}
              y={y(values[at] ?? 0) - 3.5}
              width="7"
              height="7"
              fill="var(--mantine-color-body)"
              stroke={color}
              strokeWidth="1.5"
            />
          )}
        </g>
      ))}
    </>
  )
}
