import { Link } from 'react-router'
import type { UsageBy } from '#shared/api/usage.ts'
import { FilterChip, FilterRow } from '#web/components/data/filter-chip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { AddOverviewFilter } from './add-overview-filter.tsx'
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
    <FilterRow>
      {state.chips.map((chip) => (
        <FilterChip
          key={`${chip.field} ${chip.value}`}
          field={t(`overview.fields.${chip.field}`)}
          value={nameOf(chip)}
          leaveOut={chip.leaveOut}
          onRemove={() => state.toggle(chip)}
        />
      ))}
      <AddOverviewFilter state={state} scope={scope} keys={keys} />
      <Link to={logAddress(state, state.period)} className={styles.link}>
        {t('overview.openLog')}
      </Link>
      <span className={`${styles.hint} ${styles.pageHint}`}>{t('overview.hint')}</span>
    </FilterRow>
  )
}
