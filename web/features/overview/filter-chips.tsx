import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { UsageBy } from '#shared/api/usage.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { AddFilter } from './add-filter.tsx'
import { logAddress } from './log-address.ts'
import styles from './overview.module.css'
import { useChipName } from './use-chip-name.ts'
import type { OverviewState } from './use-overview.ts'

interface Props {
  state: OverviewState
  scope: string
  keys: readonly UsageBy[]
}

/** What the page is narrowed to, and the way to the rows behind it. */
export function FilterChips({ state, scope, keys }: Props) {
  const { t } = useTranslation()
  const nameOf = useChipName()
  return (
    <div className={styles.chips}>
      {state.chips.map((chip) => {
        const field = t(`overview.fields.${chip.field}`)
        const value = nameOf(chip)
        return (
          <span key={`${chip.field} ${chip.value}`} className={styles.chip}>
            <span className="dimmed">{t(chip.leaveOut ? 'overview.isNot' : 'overview.is', { field })}</span>
            <strong>{value}</strong>
            <button
              type="button"
              className={styles.close}
              aria-label={t('overview.remove', { field, value })}
              onClick={() => state.toggle(chip)}
            >
              <IconX size={14} stroke={1.6} aria-hidden />
            </button>
          </span>
        )
      })}
      <AddFilter state={state} scope={scope} keys={keys} />
      <Link to={logAddress(state, state.period)} className={styles.link}>
        {t('overview.openLog')}
      </Link>
      <span className={styles.hint}>{t('overview.hint')}</span>
    </div>
  )
}
