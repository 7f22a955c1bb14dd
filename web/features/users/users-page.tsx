import { type User, userOrders, usersApi } from '#shared/api/users.ts'
import { userStatus } from '#shared/statuses.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { OrderSelect } from '#web/components/table/order-select.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { SelectableFoot } from '#web/components/table/selectable-foot.tsx'
import { ticksOf } from '#web/components/table/ticks.tsx'
import { useBulkVerbs } from '#web/hooks/use-bulk.ts'
import { useList } from '#web/hooks/use-list.ts'
import { useSelection } from '#web/hooks/use-selection.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { userList } from '#web/state/queries/user-queries.ts'
import { useUserActions } from './use-user-actions.ts'
import { userColumns } from './user-columns.tsx'

export function UsersPage() {
  const { t } = useTranslation()
  const state = useTableState(userOrders)
  const list = useList<User>(userList, state)
  const selection = useSelection()
  const verbs = useBulkVerbs({
    name: 'users',
    count: selection.ids.size,
    change: (ids, status) => call(usersApi.batch, { ids, change: { status } }),
    remove: (ids) => call(usersApi.removeBatch, { ids }),
    on: userStatus.activated,
    off: userStatus.banned,
    consequence: t('users.bulkDeleteText'),
  })
  const columns = userColumns(t, useUserActions(list))
  const orders = userOrders.map((value) => ({ value, label: t(`users.order.${value || 'default'}`) }))
  const add = { label: t('users.add'), to: '/user/add' }
  return (
    <>
      <PageHead title={t('users.title')} count={list.answer && t('table.total', { count: list.total })}>
        <SearchBox
          label={t('users.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={list.search}
          width={340}
        />
        <OrderSelect orders={orders} value={state.order} onChange={state.setOrder} />
      </PageHead>
      <DataTable
        label={t('users.title')}
        columns={columns}
        rows={list.rows}
        rowId={(user) => user.id}
        loading={list.loading}
        state={state}
        ticks={ticksOf(t, selection, ({ username }: User) => username)}
        empty={<ListEmpty state={state} list={list} title={t('users.empty')} hint={t('users.emptyHint')} add={add} />}
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
