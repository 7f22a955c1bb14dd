import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { channelsApi } from '#shared/api/channels.ts'
import { routingApi, type SimulatedRouting } from '#shared/api/routing.ts'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { LeaveGuard } from '#web/components/form/leave-guard.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useBeside } from '#web/hooks/use-beside.ts'
import { useCopy } from '#web/hooks/use-copy.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { dateTag, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { DraftName, DraftPicker } from './draft-name.tsx'
import { DraftPrices } from './draft-prices.tsx'
import { RoutingTabs } from './routing-tabs.tsx'
import styles from './simulate.module.css'
import { SimulatedFigures } from './simulated-figures.tsx'
import { SimulatedTable } from './simulated-table.tsx'
import { datesOf, trafficOf } from './traffic.ts'
import { type DraftState, periods, useDraft } from './use-draft.ts'

const Watch = lazy(async () => ({ default: (await import('./watch.tsx')).Watch }))

/** Known to the page, which is not left with a question while the draft is being applied. */
const applyKey = ['routing-apply']

const bodyOf = ({ channels, prices }: DraftState) => ({
  channels: Object.entries(channels).map(([id, edit]) => ({ id: Number(id), ...edit })),
  ...(Object.keys(prices).length === 0 ? {} : { prices }),
})

/** A draft of priorities, weights, states and prices, played on traffic that was. */
export function SimulatePage() {
  const { t, language } = useTranslation()
  const canEdit = useBeside()
  const draft = useDraft()
  const channels = useQuery({ queryKey: ['channels', 'routing'], queryFn: allChannels })
  const simulated = useQuery<SimulatedRouting>({
    queryKey: ['simulate', draft.days, bodyOf(draft)],
    queryFn: () => call(routingApi.simulate, { ...trafficOf(draft.days, nowSeconds()), ...bodyOf(draft) }),
    placeholderData: keepPreviousData,
  })
  const isApplying = useIsMutating({ mutationKey: applyKey }) > 0
  const failed = [channels, simulated].find(({ isLoadingError }) => isLoadingError)
  return (
    <>
      <RoutingTabs current="simulate">
        <NativeSelect
          aria-label={t('routing.traffic')}
          value={String(draft.days)}
          data={periods.map((days) => ({
            value: String(days),
            label: t('routing.trafficOf', { dates: datesOf(trafficOf(days, nowSeconds()), dateTag(language)) }),
          }))}
          onChange={(event) => draft.setDays(event.currentTarget.value)}
        />
        <DraftPicker draft={draft} />
      </RoutingTabs>
      {failed ? (
        <CannotLoad error={failed.error} onRetry={failed.refetch} />
      ) : (
        <>
          <SimulatedFigures simulated={simulated.data} />
          {!canEdit && <p className="dimmed">{t('routing.wider')}</p>}
          <SimulatedTable channels={channels.data} simulated={simulated.data} draft={draft} />
          <div className={styles.below}>
            {canEdit && <DraftPrices draft={draft} />}
            <Suspense>
              <Watch simulated={simulated.data} days={draft.days} />
            </Suspense>
          </div>
          {canEdit && <DraftBar draft={draft} busy={simulated.isFetching} />}
        </>
      )}
      <LeaveGuard dirty={canEdit && draft.count > 0 && !isApplying} />
    </>
  )
}

/** What the draft holds, and the way to make it so. */
function DraftBar({ draft, busy }: { draft: DraftState; busy: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const undoable = useUndoToast()
  const copy = useCopy({ setSearchText: () => undefined })
  const [asking, setAsking] = useState(false)
  const changed = useChangedNames(draft)
  const { count } = draft
  const body = bodyOf(draft)
  const apply = useMutation({
    mutationKey: applyKey,
    mutationFn: () => call(routingApi.apply, body),
    onSuccess: async (changed) => {
      await askAgain(queries, 'channels', 'price-list')
      await undoable(t('routing.applied'), { kind: body.channels.length > 0 ? 'channel' : 'price', count: changed })
    },
  })
  const hint = useRef<HTMLParagraphElement>(null)
  const [isEmptied, setEmptied] = useState(false)
  /** Not when the reader has gone to another page meanwhile. */
  const empty = () => {
    draft.clear()
    setEmptied(true)
  }
  useEffect(() => {
    if (!isEmptied || count > 0) return
    hint.current?.focus()
    setEmptied(false)
  }, [isEmptied, count])
  if (count === 0)
    return (
      <p ref={hint} tabIndex={-1} className={styles.hint}>
        {t('routing.unchanged')}
      </p>
    )
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setAsking(true)
      }}
    >
      <Confirm
        question={{
          title: t('routing.applyTitle', { count }),
          consequence: [...changed, t('routing.applyText')].join(' '),
          verb: t('routing.apply'),
        }}
        onConfirm={() => apply.mutateAsync(undefined, { onSuccess: empty })}
        opened={asking}
        onClose={() => setAsking(false)}
      >
        <div className={styles.stick}>
          <SaveBar
            message={
              <span className={styles.bar} aria-busy={busy}>
                {t('routing.draftChanges', { count })}
                <Button variant="subtle" onClick={() => void copy(window.location.href)}>
                  {t('routing.shareLink')}
                </Button>
                <DraftName draft={draft} />
              </span>
            }
            wide
            submit={t('routing.apply')}
            saving={apply.isPending}
            secondary={{ label: t('routing.discard'), run: draft.clear }}
          />
        </div>
      </Confirm>
    </form>
  )
}

/** What the draft changes, by name. */
function useChangedNames({ channels, prices }: DraftState): string[] {
  const { t } = useTranslation()
  const known = useQuery({ queryKey: ['channels', 'routing'], queryFn: allChannels }).data ?? []
  const names = Object.keys(channels).map((id) => known.find((channel) => String(channel.id) === id)?.name ?? id)
  return [...names, ...Object.keys(prices).map((model) => t('routing.priceOf', { model }))].map((name) => `${name}.`)
}

const channelsPerPage = 100

async function allChannels() {
  const first = await call(channelsApi.list, { page: 1, pagesize: channelsPerPage })
  const pages = Math.ceil(first.total / channelsPerPage)
  const others = Array.from({ length: Math.max(0, pages - 1) }, (_, at) =>
    call(channelsApi.list, { page: at + 2, pagesize: channelsPerPage }),
  )
  return [first, ...(await Promise.all(others))].flatMap(({ list }) => list)
}
