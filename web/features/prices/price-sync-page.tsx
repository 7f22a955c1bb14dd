import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type PriceFormat, priceFormats, pricesApi, type SyncRow } from '#shared/api/prices.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './prices.module.css'
import { syncColumns } from './sync-columns.tsx'

interface Preview {
  readonly id: string
  readonly rows: readonly SyncRow[]
}

const count = (rows: readonly SyncRow[], change: SyncRow['change']) =>
  rows.filter((row) => row.change === change).length

/** What a public list would change: looked at first, then applied as one step. */
export function PriceSyncPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const state = useTableState()
  const [format, setFormat] = useState<PriceFormat>('litellm')
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const preview = useMutation<Preview>({
    mutationFn: () => call(pricesApi.preview, { format, ...(url.trim() === '' ? {} : { url: url.trim() }) }),
    onSuccess: ({ rows }) => {
      state.setPage(1)
      // What is gone would delete a price somebody set: that is for a person to choose.
      setChosen(
        new Set(rows.filter(({ change }) => change === 'new' || change === 'changed').map(({ model }) => model)),
      )
    },
  })
  const apply = useMutation({
    mutationFn: ({ id }: Preview) => call(pricesApi.apply, { id, models: [...chosen] }),
    onSuccess: (applied) => {
      toast.success(t('prices.applied', { count: applied }))
      void queries.invalidateQueries({ queryKey: ['price-list'] })
      void navigate('/price')
    },
  })
  const rows = preview.data?.rows ?? []
  const differing = rows.filter(({ change }) => change !== 'same')
  const start = (state.page - 1) * pageSizeDefault
  const toggle = (model: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(model)) next.add(model)
      return next
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (preview.data && chosen.size > 0) apply.mutate(preview.data)
      }}
    >
      <PageHead title={t('prices.sync')} crumb={{ label: t('prices.title'), to: '/price' }} />
      <div className={styles.tools}>
        <NativeSelect
          label={t('prices.from')}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value as PriceFormat)}
          data={[...priceFormats]}
        />
        <TextInput
          label={t('prices.address')}
          description={t('prices.addressHelp')}
          inputMode="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button loading={preview.isPending} onClick={() => preview.mutate()}>
          {t('prices.preview')}
        </Button>
      </div>
      {preview.data && (
        <>
          <p role="status">
            {t('prices.differences', {
              changed: count(rows, 'changed'),
              added: count(rows, 'new'),
              gone: count(rows, 'gone'),
              same: count(rows, 'same'),
            })}
          </p>
          <DataTable
            label={t('prices.sync')}
            columns={syncColumns(t, chosen, toggle)}
            rows={differing.slice(start, start + pageSizeDefault)}
            rowId={({ model }) => model}
            loading={false}
            state={state}
            empty={<EmptyState title={t('prices.noDifference')} />}
          />
          <ListFoot page={state.page} total={differing.length} onPage={state.setPage} />
          <SaveBar
            message={t('prices.chosen', { count: chosen.size })}
            submit={t('prices.apply')}
            saving={apply.isPending}
            secondary={{ label: t('common.cancel'), run: () => void navigate('/price') }}
          />
        </>
      )}
    </form>
  )
}
