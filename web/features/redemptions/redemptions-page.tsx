import type { Redemption } from '#shared/api/redemptions.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useList } from '#web/hooks/use-list.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { redemptionList } from '#web/state/queries/redemption-queries.ts'
import { redemptionColumns } from './redemption-columns.tsx'
import { useRedemptionActions } from './use-redemption-actions.ts'

export function RedemptionsPage() {
  const { t } = useTranslation()
  const state = useTableState()
  const list = useList<Redemption>(redemptionList, state)
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
      <ListFoot primary={add} onRefresh={list.refresh} page={state.page} total={list.total} onPage={state.setPage} />
    </>
  )
}
