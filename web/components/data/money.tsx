import { quotaPair } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './money.module.css'

interface Props {
  quota: number
  /** Prints the whole number beside the money: two decimals hide small amounts. */
  exact?: boolean
}

/** Quota in the way the operator shows it, with the other way beside it. */
export function Money({ quota, exact = false }: Props) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const { main, beside } = quotaPair(quota, display, t('table.quotaUnit'), exact)
  // Below a cent the money takes the room, and the number needs little.
  const isSmall = Math.abs(quota) * 100 < display.quotaPerUnit
  return (
    <span className={styles.money}>
      {main}{' '}
      <span
        className={styles.beside}
        data-exact={(exact && !isSmall) || undefined}
        data-small={(!exact && isSmall && quota !== 0) || undefined}
      >
        {beside}
      </span>
    </span>
  )
}
