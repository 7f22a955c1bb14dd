import { Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { NoticeBar } from '#web/components/page/notice-bar.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import type { FootAction } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { SelectableFoot } from '#web/components/table/selectable-foot.tsx'
import { ticksOf } from '#web/components/table/ticks.tsx'
import { useSelection } from '#web/hooks/use-selection.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { useResting } from '#web/state/queries/resting-queries.ts'
import { channelColumns } from './channel-columns.tsx'
import { ChannelFilters } from './channel-filters.tsx'
import styles from './channels.module.css'
import { FailedTests } from './failed-tests.tsx'
import type { FailedTest } from './test-all.ts'
import { useChannelActions } from './use-channel-actions.ts'
import { useChannelFilter } from './use-channel-filter.ts'
import { type ChannelList, useChannelList } from './use-channel-list.ts'
import { useChannelVerbs } from './use-channel-verbs.ts'
import { useTestRun } from './use-test-run.ts'

export function ChannelsPage() {
  const { t } = useTranslation()
  const state = useTableState()
  const filters = useChannelFilter()
  const list = useChannelList(state, filters.filter)
  const selection = useSelection()
  const [failed, setFailed] = useState<readonly FailedTest[]>([])
  const verbs = useChannelVerbs(selection, list.rows, setFailed)
  const columns = channelColumns(t, useChannelActions(list), useResting())
  const tests = useTestRun(list.refresh, setFailed)
  const others = useFootActions(list, tests)
  const add = { label: t('channels.add'), to: '/channel/add' }
  return (
    <>
      <PageHead
        title={t('channels.title')}
        count={list.answer && t('channels.counts', { count: list.total, enabled: list.enabled })}
      >
        <SearchBox
          label={t('channels.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={list.search}
        />
      </PageHead>
      <ChannelFilters {...filters} tags={list.answer?.tags ?? []} />
      <FailedTests failed={failed} onDismiss={() => setFailed([])} />
      <NoticeBar name="channel-test">{t('channels.notice')}</NoticeBar>
      <DataTable
        label={t('channels.title')}
        columns={columns}
        rows={list.rows}
        rowId={(channel) => channel.id}
        loading={list.loading}
        state={state}
        ticks={ticksOf(t, selection, ({ name }: Channel) => name)}
        empty={
          <ListEmpty
            state={state}
            list={list}
            title={t('channels.empty')}
            hint={t('channels.emptyHint')}
            add={add}
            {...(filters.isSet ? { clearFilter: filters.clear } : {})}
          />
        }
      />
      <SelectableFoot
        selection={selection}
        everyId={list.everyId}
        verbs={verbs}
        primary={list.total > 0 ? add : undefined}
        others={others}
        onRefresh={list.refresh}
        page={state.page}
        total={list.total}
        onPage={state.setPage}
      >
        {tests.progress && <TestProgress {...tests.progress} />}
      </SelectableFoot>
    </>
  )
}

function useFootActions(list: ChannelList, tests: ReturnType<typeof useTestRun>): FootAction[] {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const undoable = useUndoToast()
  const testing = tests.progress !== undefined
  const removeDisabled = async () => {
    const count = await reporting(call(channelsApi.removeDisabled))
    await askAgain(queries, 'channels')
    await undoable(t('channels.disabledDeleted', { count }), { kind: 'channel', count })
  }
  return [
    { label: t('channels.testAll'), run: () => tests.start('all'), disabled: testing },
    { label: t('channels.testDisabled'), run: () => tests.start('disabled'), disabled: testing },
    {
      label: t('channels.deleteDisabled'),
      run: removeDisabled,
      disabled: list.disabledEverywhere === 0,
      confirm: {
        title: t('channels.deleteDisabledTitle', { count: list.disabledEverywhere }),
        consequence: t('channels.deleteDisabledText'),
        verb: t('common.delete'),
      },
    },
  ]
}

function TestProgress({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation()
  const words = t('channels.testing', { done, total })
  return (
    <span className={styles.progress} role="status">
      <Progress className={styles.meter} value={total > 0 ? (done / total) * 100 : 0} size={3} aria-label={words} />
      {words}
    </span>
  )
}
