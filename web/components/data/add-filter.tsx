import { NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Popup } from '#web/components/overlay/popup.tsx'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './filters.module.css'

export interface FilterValue {
  readonly value: string
  readonly label: string
  /** How many requests it has. */
  readonly count?: number
}

export interface FilterSource<Field extends string> {
  fields: readonly { readonly name: Field; readonly label: string; readonly canLeaveOut: boolean }[]
  /** The known values of a field; undefined while they are asked for. */
  useValues: (field: Field) => readonly FilterValue[] | undefined
  onChoose: (field: Field, value: string, leaveOut: boolean) => void
  /** Whether a value that is not known counts too. */
  takesText?: (field: Field) => boolean
  /** What is asked in place of a value, for fields that have their own way. */
  inputOf?: (field: Field, onDone: () => void) => ReactNode
}

/** Field, how, and value with its number of requests. */
export function AddFilter<Field extends string>(source: FilterSource<Field>) {
  const { t } = useTranslation()
  const target = (
    <button type="button" className={styles.add}>
      <IconPlus size={14} stroke={1.6} aria-hidden />
      {t('filters.add')}
    </button>
  )
  return (
    <Popup target={target} label={t('filters.add')} width={300} position="bottom-start">
      {(close) => <FilterForm {...source} onDone={close} />}
    </Popup>
  )
}

const valuesShown = 8

function FilterForm<Field extends string>(props: FilterSource<Field> & { onDone: () => void }) {
  const { fields, onDone, inputOf } = props
  const { t } = useTranslation()
  const [field, setField] = useState(fields[0]?.name as Field)
  const [leaveOut, setLeaveOut] = useState(false)
  const canLeaveOut = fields.find(({ name }) => name === field)?.canLeaveOut ?? false
  return (
    <div className={styles.form}>
      <div className={styles.line}>
        <NativeSelect
          aria-label={t('filters.field')}
          value={field}
          data={fields.map(({ name, label }) => ({ value: name, label }))}
          onChange={(event) => setField(event.currentTarget.value as Field)}
        />
        <NativeSelect
          aria-label={t('filters.how')}
          value={leaveOut && canLeaveOut ? 'isNot' : 'is'}
          disabled={!canLeaveOut}
          data={(['is', 'isNot'] as const).map((how) => ({ value: how, label: t(`filters.${how}`) }))}
          onChange={(event) => setLeaveOut(event.currentTarget.value === 'isNot')}
        />
      </div>
      {inputOf?.(field, onDone) || <Values key={field} {...props} field={field} leaveOut={leaveOut && canLeaveOut} />}
    </div>
  )
}

type ValuesProps<Field extends string> = FilterSource<Field> & { field: Field; leaveOut: boolean; onDone: () => void }

function Values<Field extends string>(props: ValuesProps<Field>) {
  const { field, leaveOut, useValues, onChoose, onDone, takesText } = props
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [entered, setEntered] = useState(false)
  const known = useValues(field)
  const typed = text.trim()
  const found = (known ?? [])
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, valuesShown)
  const isNew = typed !== '' && (takesText?.(field) ?? false) && found.every(({ label }) => label !== typed)
  const choose = (value: string) => {
    onChoose(field, value, leaveOut)
    onDone()
  }
  const submit = () => {
    const [first] = found
    if (first) choose(first.value)
    else if (isNew) choose(typed)
    // Enter before the values have come counts when they are there.
    setEntered(known === undefined)
  }
  useEffect(() => {
    if (entered && known) submit()
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        aria-label={t('filters.value')}
        placeholder={t('filters.value')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setEntered(false)
        }}
      />
      <ul className={styles.values}>
        {found.map(({ value, label, count }) => (
          <li key={value}>
            <button type="button" className={styles.choice} onClick={() => choose(value)}>
              <span className={field === 'model_name' ? 'mono ellipsis' : 'ellipsis'}>{label}</span>
              {count !== undefined && <span className="dimmed">{formatCount(count)}</span>}
            </button>
          </li>
        ))}
        {isNew && (
          <li>
            <button type="button" className={styles.choice} onClick={() => choose(typed)}>
              <span className="ellipsis">{t('filters.use', { text: typed })}</span>
            </button>
          </li>
        )}
        {found.length === 0 && !isNew && known && <li className="dimmed">{t('filters.none')}</li>}
      </ul>
    </form>
  )
}
