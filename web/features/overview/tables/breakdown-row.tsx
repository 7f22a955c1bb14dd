import type { UsageBy, UsageRow } from '#shared/api/usage.ts'
import { compactCount } from '#shared/quota.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { changeOf, money, percent } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { useChipName } from '#web/features/overview/use-chip-name.ts'
import { type Chip, type FilterField, type OverviewState, pickOf } from '#web/features/overview/use-overview.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useGroupRatios } from '#web/state/queries/option-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'

export type Kind = Exclude<UsageBy, 'none' | 'channel' | 'user' | 'team'>

/** The filters that leave rows of a table out. */
export const fieldsOf: Readonly<Record<Kind, readonly FilterField[]>> = {
  model: ['model_name'],
  token: ['token_name'],
  payer: ['username', 'team'],
  group: ['group'],
}

interface RowProps {
  state: OverviewState
  by: Kind
  admin: boolean
  row: UsageRow
  /** The same of the period it is compared with; null when it is compared with none. */
  before: number | undefined | null
  share: number
  color: string
}

export function BreakdownRow({ state, by, admin, row, before, share, color }: RowProps) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const pick = pickOf(by, row)
  const name = row.label || t('overview.unnamed')
  const shown = by === 'group' && row.label ? <GroupBadges groups={row.label} /> : name
  const margin = row.margin == null ? t('common.none') : percent(row.margin)
  return (
    <tr style={{ background: `linear-gradient(${color}, ${color}) left bottom / ${share * 100}% 3px no-repeat` }}>
      <th scope="row" className={by === 'model' ? 'mono' : undefined} title={name}>
        {pick ? (
          <button
            type="button"
            className={styles.pick}
            onClick={(event) => state.toggle({ ...pick, leaveOut: event.altKey })}
          >
            {shown}
          </button>
        ) : (
          shown
        )}
        {row.key.startsWith('team:') && <small className={styles.aside}> {t('overview.teamWord')}</small>}
        {by === 'group' && <GroupRatio group={row.label} />}
      </th>
      <td data-align="end">{money(row.quota, display)}</td>
      {before !== null && (
        <td data-align="end" data-wide className="dimmed">
          {changeOf(row.quota, before) ?? t('common.none')}
        </td>
      )}
      <td data-align="end" data-unit={t('overview.units.requests')}>
        {formatCount(row.requests)}
      </td>
      {admin ? (
        <td data-align="end" data-loss={(row.margin ?? 0) < 0 || undefined} data-unit={t('overview.units.margin')}>
          {margin}
        </td>
      ) : (
        <>
          <td data-align="end" data-unit={t('overview.units.tokens')}>
            {compactCount(row.prompt_tokens + row.completion_tokens)}
          </td>
          <td data-align="end" data-wide className="dimmed">
            {by === 'token' ? percent(row.error_share, 2) : percent(row.cached_share, 0)}
          </td>
        </>
      )}
    </tr>
  )
}

/** What prices are multiplied by for a group now. */
function GroupRatio({ group }: { group: string }) {
  const ratio = useGroupRatios().get(group)
  return ratio === undefined ? null : <small className={styles.aside}> × {ratio.toFixed(2)}</small>
}

/** What the filter leaves out keeps its place, so that it can be taken in again. */
export function LeftOutRow({ chip, columns, state }: { chip: Chip; columns: number; state: OverviewState }) {
  const { t } = useTranslation()
  const nameOf = useChipName()
  return (
    <tr className="dimmed">
      <th scope="row">
        <button type="button" className={styles.pick} onClick={() => state.toggle(chip)}>
          {chip.field === 'group' ? <GroupBadges groups={chip.value} /> : nameOf(chip)}
        </button>
        {chip.field === 'group' && <GroupRatio group={chip.value} />}
      </th>
      <td data-align="end" colSpan={columns}>
        {t('overview.leftOut')}
      </td>
    </tr>
  )
}
