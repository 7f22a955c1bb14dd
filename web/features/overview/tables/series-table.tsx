import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import styles from '#web/features/overview/overview.module.css'
import { copyText } from '#web/lib/clipboard.ts'
import { downloadText } from '#web/lib/download.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { asText, sumOf } from './series-text.ts'

interface Series {
  readonly key: string
  readonly label: string
  readonly values: readonly number[]
}

interface Props {
  label: string
  buckets: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
}

interface Order {
  /** A series, '' for the total, null for the time. */
  readonly by: string | null
  readonly descending: boolean
}

const newestFirst: Order = { by: null, descending: true }

/** The numbers of a chart with totals: sorted by any column, copied, and taken away as a file. */
export function SeriesTable({ label, buckets, series, format }: Props) {
  const { t } = useTranslation()
  const [order, setOrder] = useState(newestFirst)
  const totals = buckets.map((_, bucket) => sumOf(series.map(({ values }) => values[bucket] ?? 0)))
  const amountOf = (bucket: number): number =>
    order.by === null
      ? bucket
      : order.by === ''
        ? (totals[bucket] ?? 0)
        : (series.find(({ key }) => key === order.by)?.values[bucket] ?? 0)
  const way = order.descending ? -1 : 1
  const rows = buckets.map((_, bucket) => bucket).toSorted((a, b) => way * (amountOf(a) - amountOf(b)))
  const head = [t('overview.time'), ...series.map((each) => each.label), t('overview.total')]
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
              {column('', t('overview.total'))}
            </tr>
          </thead>
          <tbody>
            {rows.map((bucket) => (
              <tr key={buckets[bucket]}>
                <th scope="row">{buckets[bucket]}</th>
                {series.map((each) => (
                  <td key={each.key} data-align="end">
                    {format(each.values[bucket] ?? 0)}
                  </td>
                ))}
                <td data-align="end">{format(totals[bucket] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('overview.total')}</th>
              {series.map((each) => (
                <td key={each.key} data-align="end">
                  {format(sumOf(each.values))}
                </td>
              ))}
              <td data-align="end">{format(sumOf(totals))}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </>
  )
}
