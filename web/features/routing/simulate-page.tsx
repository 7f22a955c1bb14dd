import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channelsApi } from '#shared/api/channels.ts'
import { routingApi, type SimulatedRouting } from '#shared/api/routing.ts'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import { call } from '#web/lib/api.ts'
import { nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './routing.module.css'
import { RoutingTabs } from './routing-tabs.tsx'
import { type ChannelEdit, SimulatedTable } from './simulated-table.tsx'

const periods = [1, 7, 30] as const
const daySeconds = 86_400

/** A draft of priorities, weights and states, played on traffic that was. */
export function SimulatePage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [days, setDays] = useState<(typeof periods)[number]>(7)
  const [edits, setEdits] = useState<ReadonlyMap<number, ChannelEdit>>(new Map())
  const [asking, setAsking] = useState(false)
  const channels = useQuery({ queryKey: ['channels', 'routing'], queryFn: allChannels })
  const changed = [...edits].map(([id, edit]) => ({ id, ...edit }))
  const simulated = useQuery<SimulatedRouting>({
    queryKey: ['simulate', days, changed],
    queryFn: () => {
      const to = nowSeconds() + 1
      return call(routingApi.simulate, { from: to - days * daySeconds, to, channels: changed })
    },
    placeholderData: keepPreviousData,
  })
  const apply = useMutation({
    mutationFn: () => call(routingApi.apply, { channels: changed }),
    onSuccess: () => {
      setEdits(new Map())
      toast.success(t('routing.applied'))
      void queries.invalidateQueries({ queryKey: ['channels'] })
    },
  })
  const count = edits.size
  return (
    <>
      <RoutingTabs current="simulate" />
      <div className={styles.fields}>
        <NativeSelect
          label={t('routing.traffic')}
          value={String(days)}
          data={periods.map((period) => ({ value: String(period), label: t(`routing.days.${period}`) }))}
          onChange={(event) => setDays(periods.find((period) => String(period) === event.currentTarget.value) ?? 7)}
        />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (count > 0) setAsking(true)
        }}
      >
        <SimulatedTable
          channels={channels.data ?? []}
          simulated={simulated.data}
          edits={edits}
          onEdit={(id, edit) => setEdits((before) => withEdit(before, id, edit))}
        />
        <div role="status">
          {simulated.data?.unserved.map(({ model, group, requests }) => (
            <p key={`${group}/${model}`}>{t('routing.unserved', { count: requests, model, group })}</p>
          ))}
        </div>
        <Confirm
          question={{
            title: t('routing.applyTitle', { count }),
            consequence: t('routing.applyText'),
            verb: t('routing.apply'),
          }}
          onConfirm={() => apply.mutateAsync()}
          opened={asking}
          onClose={() => setAsking(false)}
        >
          <div>
            <SaveBar
              message={count > 0 ? t('routing.changed', { count }) : t('routing.unchanged')}
              submit={t('routing.apply')}
              saving={apply.isPending}
              secondary={{ label: t('routing.discard'), run: () => setEdits(new Map()) }}
            />
          </div>
        </Confirm>
      </form>
    </>
  )
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

function withEdit(before: ReadonlyMap<number, ChannelEdit>, id: number, edit: ChannelEdit) {
  const next = new Map(before)
  if (Object.keys(edit).length === 0) next.delete(id)
  else next.set(id, edit)
  return next
}
