import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import styles from '#web/features/overview/overview.module.css'
import { copyText } from '#web/lib/clipboard.ts'
import { downloadText } from '#web/lib/download.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { asText } from './series-text.ts'

interface Series {
  readonly key: string
  readonly label: string
  readonly values: readonly number[]
  readonly total: number
}

interface Props {
  label: string
  /** For files. */
  buckets: readonly string[]
  /** For people. */
  names: readonly string[]
  /** Said of the last bucket while it runs; '' when it is over. */
  soFar: string
  series: readonly Series[]
  totals: readonly number[]
  total: number
  format: (value: number) => string
  totalName: string
  formatTotal: (value: number) => string
}

interface Order {
  /** A series, '' for the total, null for the time. */
  readonly by: string | null
  readonly descending: boolean
}

const newestFirst: Order = { by: null, descending: true }

/** The numbers of a chart with totals: sorted by any column, copied, and taken away as a file. */
export function SeriesTable(props: Props) {
  const { label, buckets, names, soFar, series, totals, total, format, totalName, formatTotal } = props
  const { t } = useTranslation()
  const [order, setOrder] = useState(newestFirst)
  const amountOf = (bucket: number): number =>
    order.by === null
      ? bucket
      : order.by === ''
        ? (totals[bucket] ?? 0)
        : (series.find(({ key }) => key === order.by)?.values[bucket] ?? 0)
  const way = order.descending ? -1 : 1
  const rows = buckets.map((_, bucket) => bucket).toSorted((a, b) => way * ((amountOf(a) || 0) - (amountOf(b) || 0)))
  const head = [t('overview.time'), ...series.map((each) => each.label), totalName]
  const text = (separator: ',' | '\t') =>
    asText(
      [
        head,
        ...rows.map((bucket) => [
          buckets[bucket] ?? '',
          ...series.map(({ values }) => values[bucket] ?? 0),
          totals[bucket] ?? 0,
        ]),
      ],
      separator,
    )
  const copy = async () => {
    if (await copyText(text('\t'))) toast.success(t('common.copied'))
    else toast.warning(t('common.copyByHand'))
  }
  const column = (by: string | null, words: string) => {
    const isSorted = order.by === by
    const Arrow = order.descending ? IconArrowDown : IconArrowUp
    return (
      <th
        key={by ?? 'time'}
        scope="col"
        data-align={by === null ? undefined : 'end'}
        aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      >
        <button
          type="button"
          className={styles.sort}
          onClick={() => setOrder({ by, descending: isSorted ? !order.descending : true })}
        >
          {words}
          {isSorted && <Arrow className={styles.arrow} size={14} stroke={1.8} aria-hidden />}
        </button>
      </th>
    )
  }
  return (
    <>
      <div className={styles.twinTools}>
        <Button onClick={() => void copy()}>{t('common.copy')}</Button>
        <Button onClick={() => downloadText(`${label}.csv`, text(','))}>{t('overview.downloadCsv')}</Button>
      </div>
      <ScrollRegion label={label}>
        <table className={styles.table}>
          <thead>
            <tr>
              {column(null, t('overview.time'))}
              {series.map((each) => column(each.key, each.label))}
              {column('', totalName)}
            </tr>
          </thead>
          <tbody>
            {rows.map((bucket) => (
              <tr key={buckets[bucket]}>
                <th scope="row">
                  {names[bucket]}
                  {bucket === buckets.length - 1 && soFar !== '' && <span className="dimmed"> {soFar}</span>}
                </th>
                {series.map((each) => (
                  <td key={each.key} data-align="end">
                    {format(each.values[bucket] ?? 0)}
                  </td>
                ))}
                <td data-align="end">{formatTotal(totals[bucket] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('overview.total')}</th>
              {series.map((each) => (
                <td key={each.key} data-align="end">
                  {format(each.total)}
                </td>
              ))}
              <td data-align="end">{formatTotal(total)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </>
  )
}
