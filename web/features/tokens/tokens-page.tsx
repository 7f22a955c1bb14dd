import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Token, tokenOrders, tokensApi } from '#shared/api/tokens.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { QuotaTrack } from '#web/components/data/quota-bar.tsx'
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
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamTokenList, tokenList, tokenQuery } from '#web/state/queries/token-queries.ts'
import { useWalletTeam } from '#web/state/wallet.ts'
import { isIdle, shareLeft, tokenColumns } from './token-columns.tsx'
import { useTokenActions } from './use-token-actions.ts'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

/** A token that was made just now is shown how to be used. */
function useConnecting() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [chosen, choose] = useState<Token | null>(null)
  const made: unknown = state?.connect
  const isMade = typeof made === 'number'
  const { data } = useQuery({ ...tokenQuery(isMade ? made : 0), enabled: isMade, meta: ownReport })
  const close = () => {
    choose(null)
    if (isMade) void navigate({ search: window.location.search }, { replace: true, state: null })
  }
  return { connecting: chosen ?? (isMade && data?.key ? data : null), connect: choose, close }
}

export function TokensPage() {
  const { t } = useTranslation()
  const state = useTableState(tokenOrders)
  const { connecting, connect, close } = useConnecting()
  const team = useWalletTeam()
  const list = useList<Token>(team ? teamTokenList(team.id) : tokenList, state)
  const selection = useSelection(team?.id)
  const verbs = useBulkVerbs({
    name: 'tokens',
    count: selection.ids.size,
    change: (ids, status) => call(tokensApi.batch, { ids, change: { status } }),
    remove: (ids) => call(tokensApi.removeBatch, { ids }),
    on: tokenStatus.enabled,
    off: tokenStatus.disabled,
    consequence: t('tokens.bulkDeleteText'),
  })
  const columns = tokenColumns(t, list.rows, useTokenActions(list, state, connect))
  const orders = tokenOrders.map((value) => ({ value, label: t(`tokens.order.${value || 'default'}`) }))
  const add = { label: t('tokens.add'), to: team ? `/token/add?team=${team.id}` : '/token/add' }
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
        ticks={ticksOf(t, selection, ({ name }: Token) => name)}
        empty={<ListEmpty state={state} list={list} title={t('tokens.empty')} hint={t('tokens.emptyHint')} add={add} />}
        phoneEdge={(token) => !token.unlimited_quota && <QuotaTrack share={shareLeft(token)} idle={isIdle(token)} />}
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
      <Suspense>{connecting && <ConnectDialog token={connecting} onClose={close} />}</Suspense>
    </>
  )
}
