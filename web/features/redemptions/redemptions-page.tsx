import { type Redemption, redemptionsApi } from '#shared/api/redemptions.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { SelectableFoot } from '#web/components/table/selectable-foot.tsx'
import { ticksOf } from '#web/components/table/ticks.tsx'
import { useBulkVerbs } from '#web/hooks/use-bulk.ts'
import { useList } from '#web/hooks/use-list.ts'
import { useSelection } from '#web/hooks/use-selection.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { redemptionList } from '#web/state/queries/redemption-queries.ts'
import { redemptionColumns } from './redemption-columns.tsx'
import { useRedemptionActions } from './use-redemption-actions.ts'

export function RedemptionsPage() {
  const { t } = useTranslation()
  const state = useTableState()
  const list = useList<Redemption>(redemptionList, state)
  const selection = useSelection()
  const verbs = useBulkVerbs({
    name: 'redemptions',
    count: selection.ids.size,
    change: (ids, status) => call(redemptionsApi.batch, { ids, change: { status } }),
    remove: (ids) => call(redemptionsApi.removeBatch, { ids }),
    on: redemptionStatus.unused,
    off: redemptionStatus.disabled,
    consequence: t('redemptions.bulkDeleteText'),
  })
  const columns = redemptionColumns(t, useRedemptionActions(list, state))
  const add = { label: t('redemptions.add'), to: '/redemption/add' }
  return (
    <>
      <PageHead title={t('redemptions.title')} count={list.answer && t('table.total', { count: list.total })}>
        <SearchBox
          label={t('redemptions.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={list.search}
        />
      </PageHead>
      <DataTable
        label={t('redemptions.title')}
        columns={columns}
        rows={list.rows}
        rowId={(code) => code.id}
        loading={list.loading}
        state={state}
        ticks={ticksOf(t, selection, ({ name }: Redemption) => name)}
        empty={
          <ListEmpty
            state={state}
            list={list}
            title={t('redemptions.empty')}
            hint={t('redemptions.emptyHint')}
            add={add}
          />
        }
      />
      <SelectableFoot
        selection={selection}
        everyId={list.everyId}
        verbs={verbs}
        primary={list.total > 0 ? add : undefined}
        onRefresh={list.refresh}
        page={state.page}
        total={list.total}
        onPage={state.setPage}
      />
    </>
  )
}
