import { NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UsageBy } from '#shared/api/usage.ts'
import { Popup } from '#web/components/overlay/popup.tsx'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import styles from './overview.module.css'
import { type Chip, type FilterField, fieldOf, type OverviewState, pickOf } from './use-overview.ts'

interface Props {
  state: OverviewState
  scope: string
  /** What can be filtered by. */
  keys: readonly UsageBy[]
}

/** Field, how, and value with its number of requests. */
export function AddFilter(props: Props) {
  const { t } = useTranslation()
  const target = (
    <button type="button" className={styles.add}>
      <IconPlus size={14} stroke={1.6} aria-hidden />
      {t('overview.addFilter')}
    </button>
  )
  return (
    <Popup target={target} label={t('overview.addFilter')} width={300} position="bottom-start">
      {(close) => <FilterForm {...props} onDone={close} />}
    </Popup>
  )
}

const valuesShown = 8

function FilterForm({ state, scope, keys, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation()
  const usable = keys.flatMap((by) => (fieldOf[by] ? [{ by, field: fieldOf[by] as FilterField }] : []))
  const [field, setField] = useState<FilterField>(usable[0]?.field ?? 'model_name')
  const [leaveOut, setLeaveOut] = useState(false)
  const [text, setText] = useState('')
  const by = usable.find((each) => each.field === field)?.by ?? 'model'
  const { from, to, time_zone } = state.args
  const known = useQuery(usageTable({ scope, from, to, time_zone, by, order: 'requests', pagesize: 100 }))
  const found = (known.data?.list ?? [])
    .filter(({ label }) => label !== '' && label.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, valuesShown)
    .flatMap((row) => {
      const pick = pickOf(by, row)
      return pick ? [{ ...row, pick }] : []
    })
  const choose = (pick: Omit<Chip, 'leaveOut'>) => {
    state.toggle({ ...pick, leaveOut })
    onDone()
  }
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault()
        const [first] = found
        if (first) choose(first.pick)
      }}
    >
      <div className={styles.filterLine}>
        <NativeSelect
          aria-label={t('overview.filterField')}
          value={field}
          data={usable.map((each) => ({ value: each.field, label: t(`overview.fields.${each.field}`) }))}
          onChange={(event) => setField(event.currentTarget.value as FilterField)}
        />
        <NativeSelect
          aria-label={t('overview.filterHow')}
          value={leaveOut ? 'not' : 'is'}
          data={[
            { value: 'is', label: t('overview.how.is') },
            { value: 'not', label: t('overview.how.not') },
          ]}
          onChange={(event) => setLeaveOut(event.currentTarget.value === 'not')}
        />
      </div>
      <TextInput
        aria-label={t('overview.filterValue')}
        placeholder={t('overview.filterValue')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={styles.values}>
        {found.map(({ key, label, requests, pick }) => (
          <li key={key}>
            <button type="button" className={styles.choice} onClick={() => choose(pick)}>
              <span className={by === 'model' ? 'mono ellipsis' : 'ellipsis'}>{label}</span>
              <span className="dimmed">{formatCount(requests)}</span>
            </button>
          </li>
        ))}
        {found.length === 0 && !known.isPending && <li className="dimmed">{t('overview.filterNone')}</li>}
      </ul>
    </form>
  )
}
