import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { historyKinds } from '#shared/api/history.ts'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './history.module.css'
import { type HistoryView, periods } from './use-history-filter.ts'

/** Who, what, when and by name. A name is looked for on Enter. */
export function HistoryFilters({ filter, period, change, actors }: HistoryView & { actors: readonly string[] }) {
  const { t } = useTranslation()
  const actor = filter.actor ?? ''
  const [target, setTarget] = useTextOf(filter.target ?? '')
  const search = (event: FormEvent) => {
    event.preventDefault()
    change({ target: target.trim(), page: '' })
  }
  return (
    <form className={styles.filters} onSubmit={search}>
      <NativeSelect
        aria-label={t('history.who')}
        data={[{ value: '', label: t('history.anyone') }, ...new Set([...actors, ...(actor === '' ? [] : [actor])])]}
        value={actor}
        onChange={(event) => change({ actor: event.currentTarget.value, page: '' })}
      />
      <NativeSelect
        aria-label={t('history.what')}
        data={[
          { value: '', label: t('history.everything') },
          ...historyKinds.map((kind) => ({ value: kind, label: t(`history.kindNames.${kind}`) })),
        ]}
        value={filter.kind ?? ''}
        onChange={(event) => change({ kind: event.currentTarget.value, page: '' })}
      />
      <NativeSelect
        aria-label={t('history.time')}
        data={(Object.keys(periods) as (keyof typeof periods)[]).map((name) => ({
          value: name,
          label: t(`history.periods.${name || 'any'}`),
        }))}
        value={period}
        onChange={(event) => change({ period: event.currentTarget.value, page: '' })}
      />
      <TextInput
        aria-label={t('history.search')}
        placeholder={t('history.search')}
        leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
        value={target}
        onChange={(event) => setTarget(event.currentTarget.value)}
      />
      <button type="submit" hidden />
    </form>
  )
}
