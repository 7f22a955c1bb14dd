import { NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { type ExplainedRoute, routingApi } from '#shared/api/routing.ts'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { useGroups } from '#web/hooks/use-groups.ts'
import { call } from '#web/lib/api.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { modelNames } from '#web/state/queries/channel-queries.ts'
import { Bands } from './bands.tsx'
import styles from './routing.module.css'
import { RoutingTabs } from './routing-tabs.tsx'

const ModelPicker = lazy(async () => ({ default: (await import('#web/components/form/model-picker.tsx')).ModelPicker }))

/** Which way a request takes now: the relay's own decision, as a sentence and as tracks. */
export function ExplainPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const model = params.get('model') ?? ''
  const group = params.get('group') ?? 'default'
  const known = useQuery(modelNames)
  const groups = useGroups([group])
  const explained = useQuery({
    queryKey: ['explain', model, group],
    queryFn: () => call(routingApi.explain, { model, group }),
    enabled: model !== '',
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const change = (field: 'model' | 'group', value: string) =>
    setParams(
      (before) => {
        before.set(field, value)
        return before
      },
      { replace: true },
    )
  return (
    <>
      <RoutingTabs current="explain" />
      <div className={styles.fields}>
        <Suspense fallback={<TextInput aria-label={t('routing.model')} readOnly value={model} />}>
          <ModelPicker
            label={t('routing.model')}
            value={model}
            known={known.data ?? []}
            onChange={(value) => change('model', value)}
          />
        </Suspense>
        <NativeSelect
          aria-label={t('routing.group')}
          value={group}
          data={groups}
          onChange={(event) => change('group', event.currentTarget.value)}
        />
      </div>
      {model === '' && <EmptyState title={t('routing.ask')} />}
      {model !== '' && explained.data && (
        <>
          <p className={styles.sentence} role="status">
            {sentenceOf(t, model, explained.data)}
          </p>
          <Bands candidates={explained.data.candidates} />
        </>
      )}
    </>
  )
}

function sentenceOf(t: TFunction, model: string, { price, candidates, fallbacks }: ExplainedRoute): string {
  const first = candidates.filter(({ state }) => state === 'first')
  const [only] = first
  const next = fallbacks.length > 0 ? ` ${t('routing.thenModels', { models: fallbacks.join(', ') })}` : ''
  if (candidates.length === 0) return t('routing.nobody', { model }) + next
  if (price === null) return t('routing.noPrice', { model }) + next
  if (!only) return t('routing.noneLeft', { model }) + next
  if (first.length === 1) return t('routing.goesOne', { model, name: only.name }) + next
  const names = first
    .map(({ name, probability }) => t('routing.share', { name, percent: formatShare(probability) }))
    .join(', ')
  return t('routing.goesMany', { model, names }) + next
}
