import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Charge } from './charge.ts'
import styles from './logs.module.css'

interface Line {
  label: string
  sum: string
}

/** The sum behind a charge, one line a kind of token. */
export function ChargeSum({ charge, quota }: { charge: Charge; quota: number }) {
  const { t } = useTranslation()
  const lines: Line[] =
    charge.by === 'tokens'
      ? charge.parts.map(({ of, tokens, ratio }) => ({
          label: t(`logs.classes.${of}`),
          sum: t('logs.detail.sum', {
            amount: formatCount(tokens),
            ratio,
            model: charge.modelRatio,
            group: charge.groupRatio,
          }),
        }))
      : [
          {
            label: t(`logs.detail.by.${charge.by}`),
            sum: t('logs.detail.times', {
              amount: formatCount(charge.count),
              each: charge.each,
              group: charge.groupRatio,
            }),
          },
        ]
  return (
    <dl className={styles.sumLines}>
      {lines.map(({ label, sum }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
      <div className={styles.sumTotal}>
        <dt>{t('logs.detail.total')}</dt>
        <dd>{formatCount(quota)}</dd>
      </div>
      {charge.by === 'tokens' && charge.above !== undefined && (
        <div>
          <dt className={styles.wide}>{t('logs.detail.above', { amount: formatCount(charge.above) })}</dt>
        </div>
      )}
    </dl>
  )
}
