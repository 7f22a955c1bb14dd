import styles from './chart.module.css'
import type { ChartSeries } from './chart-series.ts'

interface Props {
  readonly head: string
  readonly total: string
  /** The same of what it is compared with. */
  readonly second: { readonly name: string; readonly amount: string } | null
  /** What else is to be said of the bucket. */
  readonly note: string
  readonly series: readonly ChartSeries[]
  readonly amountOf: (series: ChartSeries) => string
  readonly onLight: (key: string | null) => void
  readonly onPick: (key: string, leaveOut: boolean) => void
}

/** Names in the order of the stack, with the sums of the period or of the bucket under the crosshair. */
export function SeriesLabels({ head, total, second, note, series, amountOf, onLight, onPick }: Props) {
  return (
    <div className={styles.labels} aria-live="polite">
      <div className={styles.head}>
        <span>{head}</span>
        <span>{total}</span>
      </div>
      {second && (
        <div className={styles.second}>
          <span>{second.name}</span>
          <span>{second.amount}</span>
        </div>
      )}
      <ul className={styles.names}>
        {[...series].reverse().map((each) => (
          <li key={each.key} className={styles.name}>
            <span className={styles.swatch} style={{ background: each.color }} aria-hidden="true" />
            {each.canFilter ? (
              <button
                type="button"
                className={styles.pick}
                title={each.label}
                onPointerEnter={() => onLight(each.key)}
                onPointerLeave={() => onLight(null)}
                onFocus={() => onLight(each.key)}
                onBlur={() => onLight(null)}
                onClick={(event) => onPick(each.key, event.altKey)}
              >
                {each.label}
              </button>
            ) : (
              <span className={styles.plain} title={each.label}>
                {each.label}
              </span>
            )}
            <span>{amountOf(each)}</span>
          </li>
        ))}
      </ul>
      <div className={styles.note}>{note}</div>
    </div>
  )
}
