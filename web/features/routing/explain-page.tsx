import { ActionIcon, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ClosedChoice, ClosedNames, LaterField } from '#web/components/choices/later-field.tsx'
import { ModelField } from '#web/components/choices/model-field.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { useGroups } from '#web/hooks/use-groups.ts'
import { formatClockSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { whenUsed } from '#web/lib/input/first-use.ts'
import { modelNames } from '#web/state/queries/channel-queries.ts'
import { Bands } from './bands.tsx'
import { LastHour } from './last-hour.tsx'
import { PromptTokens } from './prompt-tokens.tsx'
import styles from './routing.module.css'
import { RoutingTabs } from './routing-tabs.tsx'
import { Sentence } from './sentence.tsx'
import { Trunk } from './trunk.tsx'
import { useExplain } from './use-explain.ts'

const NeedsPicker = whenUsed(async () => (await import('./pickers.tsx')).NeedsPicker)
const WhoPicker = whenUsed(async () => (await import('./pickers.tsx')).WhoPicker)

/** Which way a request takes now: the relay's own decision, as a sentence and as tracks. */
export function ExplainPage() {
  const { t } = useTranslation()
  const { model, who, group, prompt, needs, route, change } = useExplain()
  const known = useQuery(modelNames)
  const groups = useGroups([group])
  const { data } = route
  const closedWho = who === '' ? t('routing.anybody') : who.replace(':', ' ')
  return (
    <>
      <RoutingTabs current="explain">
        {model !== '' && (
          <>
            <span className="dimmed" style={{ visibility: data ? undefined : 'hidden' }}>
              {t('routing.asOf', { time: formatClockSeconds(route.dataUpdatedAt / 1000) })}
            </span>
            <ActionIcon aria-label={t('common.refresh')} disabled={!data} onClick={() => void route.refetch()}>
              <IconRefresh size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </>
        )}
      </RoutingTabs>
      <div className={styles.fields}>
        <ModelField
          label={t('routing.model')}
          labelled
          value={model}
          known={known.data ?? []}
          onChange={(value) => change({ model: value })}
        />
        <LaterField closed={<ClosedChoice label={t('routing.who')} value={closedWho} />}>
          {(autoFocus) => <WhoPicker value={who} onChange={(value) => change({ who: value })} autoFocus={autoFocus} />}
        </LaterField>
        {who === '' ? (
          <NativeSelect
            label={t('routing.group')}
            value={group}
            data={groups}
            onChange={(event) => change({ group: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            label={t('routing.group')}
            readOnly
            value={t(who.startsWith('token') ? 'routing.ofToken' : 'routing.ofUser', {
              groups: (data?.groups ?? []).join(t('common.comma')),
            })}
          />
        )}
        <PromptTokens value={prompt} onChange={(value) => change({ prompt: value })} />
        <LaterField
          closed={
            <ClosedNames
              listed
              label={t('routing.needs')}
              names={needs.map((need) => t(`models.words.${need}`))}
              placeholder={needs.length === 0 ? t('routing.nothingSpecial') : ''}
            />
          }
        >
          {(autoFocus) => (
            <NeedsPicker value={needs} onChange={(value) => change({ needs: value.join(',') })} autoFocus={autoFocus} />
          )}
        </LaterField>
      </div>
      {model === '' && <EmptyState title={t('routing.ask')} />}
      {model !== '' && route.isLoadingError && <CannotLoad error={route.error} onRetry={route.refetch} />}
      {model !== '' && route.isPending && <Waiting />}
      {model !== '' && data && (
        <>
          <Sentence model={model} route={data} />
          <Bands candidates={data.candidates} price={data.price} ratio={data.group_ratio}>
            <Trunk model={model} who={who} route={data} />
            <LastHour model={model} />
          </Bands>
          <p className={styles.foot}>
            {data.not_carrying > 0 && `${t('routing.notCarrying', { count: data.not_carrying, model })} `}
            {t('routing.header')}
          </p>
        </>
      )}
    </>
  )
}

const lines = [52, 38, 46, 30]

function Waiting() {
  return (
    <div aria-busy="true">
      {lines.map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} mt={28} />
      ))}
    </div>
  )
}
