import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { negatable, outcomes } from '#shared/api/logs.ts'
import type { UsageBy } from '#shared/api/usage.ts'
import { AddFilter, type FilterValue } from '#web/components/data/add-filter.tsx'
import { FilterChip, FilterRow } from '#web/components/data/filter-chip.tsx'
import { TimeField } from '#web/components/form/time-field.tsx'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'
import { endOf } from '#web/state/queries/log-queries.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useUsageScope, useWalletTeam } from '#web/state/wallet.ts'
import { type ChipField, chipFields, type Filter, isNegated, noFilter, withChip, withoutChip } from './log-filter.ts'
import styles from './logs.module.css'
import type { FilterState } from './use-log-filter.ts'

/** What the values of a field are called in the figures; the others have a fixed list or none. */
const kinds: Partial<Record<ChipField, UsageBy>> = {
  model_name: 'model',
  token_name: 'token',
  username: 'user',
  channel: 'channel',
  group: 'group',
}
const adminsOnly: readonly ChipField[] = ['username', 'channel']
const addable = chipFields.filter((field) => field !== 'slow' && field !== 'team_id')
const types = [1, 2, 3, 4, 5] as const

const isTime = (field: ChipField): field is 'start_timestamp' | 'end_timestamp' =>
  field === 'start_timestamp' || field === 'end_timestamp'

/** What the log is narrowed to, and the way to narrow it further. */
export function FilterChips(state: FilterState & { isOpen: boolean; onFields: () => void }) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const { named, filter, show } = state
  const wordOf = useWords()
  const useOwnValues = (field: ChipField) => useValues(field, filter)
  const set = chipFields.filter((field) => named[field] !== noFilter[field])
  const canNegate = (field: ChipField) => negatable.some((name) => name === field)
  const fields = addable
    .filter((field) => isAdmin || !adminsOnly.includes(field))
    .map((name) => ({ name, label: t(`logs.fields.${name}`), canLeaveOut: canNegate(name) }))
  return (
    <FilterRow>
      {set.map((field) => (
        <FilterChip
          key={field}
          field={t(`logs.fields.${field}`)}
          value={wordOf(field, named)}
          leaveOut={isNegated(named, field)}
          onRemove={() => show(withoutChip(filter, field))}
        />
      ))}
      <AddFilter
        fields={fields}
        useValues={useOwnValues}
        onChoose={(field, value, leaveOut) => show(withChip(filter, field, value, leaveOut))}
        takesText={(field) => kinds[field] !== undefined && field !== 'channel'}
        inputOf={(field, onDone) =>
          isTime(field) && (
            <TimeInput
              key={field}
              label={t(`logs.fields.${field}`)}
              start={formatTime(field === 'start_timestamp' ? filter.start_timestamp : endOf(filter))}
              onChoose={(time) => {
                show(withChip(filter, field, String(time), false))
                onDone()
              }}
            />
          )
        }
      />
      <button type="button" className={styles.fold} aria-expanded={state.isOpen} onClick={state.onFields}>
        {t('logs.allFields')}
      </button>
    </FilterRow>
  )
}

/** A value as people say it. */
function useWords() {
  const { t } = useTranslation()
  const channelName = useChannelName()
  const team = useWalletTeam()
  return (field: ChipField, filter: Filter): string => {
    const value = filter[field]
    if (isTime(field)) return formatTime(filter[field])
    if (field === 'type') return t('states.log', { returnObjects: true })[filter.type as 0]
    if (field === 'outcome') return filter.outcome === '' ? '' : t(`logs.detail.outcomes.${filter.outcome}`)
    if (field === 'channel') return channelName(filter.channel)
    if (field === 'slow') return t('logs.slowValue')
    if (field === 'team_id') return team?.id === value ? team.name : `#${value}`
    return String(value)
  }
}

/** The values of a field: of names those that were used in the time that is shown. */
function useValues(field: ChipField, filter: Filter): readonly FilterValue[] | undefined {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const own = useUsageScope()
  const by = kinds[field]
  const asked = { scope: isAdmin ? 'all' : own, from: filter.start_timestamp, to: endOf(filter) }
  const usage = usageTable({ ...asked, by: by ?? 'none', order: 'requests', pagesize: 100 })
  const { data } = useQuery({ ...usage, enabled: by !== undefined })
  if (field === 'type') {
    const words = t('states.log', { returnObjects: true })
    return types.map((type) => ({ value: String(type), label: words[type] }))
  }
  if (field === 'outcome')
    return outcomes.flatMap((value) => (value === '' ? [] : [{ value, label: t(`logs.detail.outcomes.${value}`) }]))
  return data?.list.flatMap(({ key, label, requests }) => {
    const shown = label || (by === 'channel' ? `#${key}` : '')
    return shown === '' ? [] : [{ value: by === 'channel' ? key : label, label: shown, count: requests }]
  })
}

interface TimeProps {
  label: string
  start: string
  onChoose: (time: number) => void
}

function TimeInput({ label, start, onChoose }: TimeProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(start)
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className={styles.saveFilter}
      onSubmit={(event) => {
        event.preventDefault()
        const time = parseTime(text)
        if (time === null) setWrong(true)
        else onChoose(Math.max(0, time))
      }}
    >
      <TimeField aria-label={label} value={text} onChange={setText} error={isWrong && t('logs.badTime')} />
      <Button type="submit">{t('filters.apply')}</Button>
    </form>
  )
}
