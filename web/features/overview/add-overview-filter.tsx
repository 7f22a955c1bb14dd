import { useQuery } from '@tanstack/react-query'
import type { UsageBy } from '#shared/api/usage.ts'
import { AddFilter } from '#web/components/data/add-filter.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { type FilterField, fieldOf, type OverviewState, pickOf } from './use-overview.ts'

interface Props {
  state: OverviewState
  scope: string
  /** What can be filtered by. */
  keys: readonly UsageBy[]
}

/** Narrows the page to something that was used in the period. */
export function AddOverviewFilter({ state, scope, keys }: Props) {
  const { t } = useTranslation()
  const usable = keys.flatMap((by) => (fieldOf[by] ? [{ by, field: fieldOf[by] as FilterField }] : []))
  const { from, to, time_zone } = state.args
  const useValues = (field: FilterField) => {
    const by = usable.find((each) => each.field === field)?.by ?? 'model'
    const { data } = useQuery(usageTable({ scope, from, to, time_zone, by, order: 'requests', pagesize: 100 }))
    return data?.list.flatMap(({ key, label, requests }) => {
      const pick = label === '' ? null : pickOf(by, { key, label })
      return pick ? [{ value: pick.value, label, count: requests }] : []
    })
  }
  return (
    <AddFilter
      fields={usable.map(({ field }) => ({ name: field, label: t(`overview.fields.${field}`), canLeaveOut: true }))}
      useValues={useValues}
      onChoose={(field, value, leaveOut) => state.toggle({ field, value, leaveOut })}
    />
  )
}
