import { lazy, Suspense, useState } from 'react'
import { type Token, tokenOrders } from '#shared/api/tokens.ts'
import { QuotaTrack } from '#web/components/data/quota-bar.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { OrderSelect } from '#web/components/table/order-select.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useList } from '#web/hooks/use-list.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { isIdle, shareLeft, tokenColumns } from './token-columns.tsx'
import { useTokenActions } from './use-token-actions.ts'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

export function TokensPage() {
  const { t } = useTranslation()
  const state = useTableState(tokenOrders)
  const [connecting, setConnecting] = useState<Token | null>(null)
  const list = useList<Token>(tokenList, state)
  const columns = tokenColumns(t, useTokenActions(list, state, setConnecting))
  const orders = tokenOrders.map((value) => ({ value, label: t(`tokens.order.${value || 'default'}`) }))
  const add = { label: t('tokens.add'), to: '/token/add' }
  return (
    <>
      <PageHead title={t('tokens.title')} count={list.answer && t('table.total', { count: list.total })}>
        <SearchBox
          label={t('tokens.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={list.search}
          width={240}
        />
        <OrderSelect orders={orders} value={state.order} onChange={state.setOrder} />
      </PageHead>
      <DataTable
        label={t('tokens.title')}
        columns={columns}
        rows={list.rows}
        rowId={(token) => token.id}
        loading={list.loading}
        state={state}
        empty={<ListEmpty state={state} list={list} title={t('tokens.empty')} hint={t('tokens.emptyHint')} add={add} />}
        phoneEdge={(token) => !token.unlimited_quota && <QuotaTrack share={shareLeft(token)} idle={isIdle(token)} />}
      />
      <ListFoot primary={add} onRefresh={list.refresh} page={state.page} total={list.total} onPage={state.setPage} />
      <Suspense>{connecting && <ConnectDialog token={connecting} onClose={() => setConnecting(null)} />}</Suspense>
    </>
  )
}
