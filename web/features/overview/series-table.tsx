import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'
import { ScrollRegion } from './scroll-region.tsx'

interface Props {
  label: string
  buckets: readonly string[]
  series: readonly { key: string; label: string; values: readonly number[] }[]
  format: (value: number) => string
}

/** The numbers of a chart, newest first, with totals. */
export function SeriesTable({ label, buckets, series, format }: Props) {
  const { t } = useTranslation()
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const order = buckets.map((_, bucket) => bucket).reverse()
  return (
    <ScrollRegion label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('overview.time')}</th>
            {series.map((each) => (
              <th key={each.key} scope="col" data-align="end">
                {each.label}
              </th>
            ))}
            <th scope="col" data-align="end">
              {t('overview.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map((bucket) => (
            <tr key={buckets[bucket]}>
              <th scope="row">{buckets[bucket]}</th>
              {series.map((each) => (
                <td key={each.key} data-align="end">
                  {format(each.values[bucket] ?? 0)}
                </td>
              ))}
              <td data-align="end">{format(total(series.map(({ values }) => values[bucket] ?? 0)))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('overview.total')}</th>
            {series.map((each) => (
              <td key={each.key} data-align="end">
                {format(total(each.values))}
              </td>
            ))}
            <td data-align="end">{format(total(series.map(({ values }) => total(values))))}</td>
          </tr>
        </tfoot>
      </table>
    </ScrollRegion>
  )
}
