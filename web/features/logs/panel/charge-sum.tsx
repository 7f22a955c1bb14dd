import type { Log, RequestDetail } from '#shared/api/logs.ts'
import { dollars } from '#shared/quota.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import type { Charge } from '#web/features/logs/charge.ts'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './panel.module.css'

interface Line {
  readonly label: string
  readonly sum: string
  /** In quota, before it is rounded up with the others. */
  readonly amount: number
}

const million = 1_000_000

interface Props {
  charge: Charge
  row: Log
  costBy: RequestDetail['cost_by'] | undefined
}

/** The sum behind a charge, one line a kind of token; with what it cost and left for those who may see it. */
export function ChargeSum({ charge, row, costBy }: Props) {
  const { t } = useTranslation()
  const nameOf = useChannelName()
  const { inCurrency, quotaPerUnit } = useQuotaDisplay()
  const money = (quota: number, decimals = 6) => dollars(quota, quotaPerUnit, decimals)
  const group = charge.groupRatio
  const linesOf = (): Line[] => {
    if (charge.by !== 'tokens') {
      const sum = t('logs.detail.times', { amount: formatCount(charge.count), each: charge.each, group })
      return [{ label: t(`logs.detail.by.${charge.by}`), sum, amount: row.quota }]
    }
    return charge.parts.map(({ of, tokens, ratio }) => {
      const amount = formatCount(tokens)
      const price = money(ratio * charge.modelRatio * million, 2)
      return {
        label: t(`logs.classes.${of}`),
        sum: inCurrency
          ? `${amount} × ${price}`
          : t('logs.detail.sum', { amount, ratio, model: charge.modelRatio, group }),
        amount: tokens * ratio * charge.modelRatio * group,
      }
    })
  }
  const { cost } = row
  const howCost = (known: number) => {
    if (costBy === undefined || !inCurrency) return ''
    if (costBy === 'reported') return t('logs.panel.reported')
    return costBy > 0 && t('logs.panel.listed', { list: money(known / costBy), ratio: costBy.toFixed(2) })
  }
  return (
    <section className={styles.section} aria-label={t('logs.panel.charge')}>
      <div className={styles.sectionHead}>
        <h3>{t('logs.panel.charge')}</h3>
        <span className="dimmed">
          {inCurrency && charge.by === 'tokens' && t('logs.panel.how')}{' '}
          {row.group !== '' && <GroupBadges groups={row.group} />} {inCurrency && group}
        </span>
      </div>
      <table className={styles.sum}>
        <tbody>
          {linesOf().map(({ label, sum, amount }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{sum}</td>
              {inCurrency && <td>{money(amount)}</td>}
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row">{t('logs.detail.total')}</th>
            <td>{t('logs.panel.quota', { count: formatCount(row.quota) })}</td>
            {inCurrency && <td>{money(row.quota)}</td>}
          </tr>
          {cost !== undefined && (
            <tr>
              <th scope="row">
                {row.channel > 0 ? t('logs.panel.costOf', { channel: nameOf(row.channel) }) : t('logs.detail.cost')}
              </th>
              <td>{cost !== null && howCost(cost)}</td>
              <td>{cost === null ? t('common.unknown') : money(cost)}</td>
            </tr>
          )}
          {cost != null && (
            <tr data-loss={row.quota < cost || undefined}>
              <th scope="row">{t('logs.detail.profit')}</th>
              <td>{row.quota > 0 && `${((1 - cost / row.quota) * 100).toFixed(1)} %`}</td>
              <td>{money(row.quota - cost)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {charge.by === 'tokens' && charge.above !== undefined && (
        <p className={styles.note}>{t('logs.detail.above', { amount: formatCount(charge.above) })}</p>
      )}
    </section>
  )
}
