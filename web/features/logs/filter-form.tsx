import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '#web/app/session.tsx'
import { TimeField } from '#web/components/time-field.tsx'
import { logTypes } from './log-types.ts'
import { endOf, type Filter } from './log-filter.ts'
import styles from './logs.module.css'

interface Props {
  draft: Filter
  onChange: (changes: Partial<Filter>) => void
  onApply: (changes?: Partial<Filter>) => void
}

const digits = /^\d{0,15}$/

/** The filters; the type answers at once, the others with "Query" or Enter. */
export function FilterForm({ draft, onChange, onApply }: Props) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply()
  }
  const text = (name: 'token_name' | 'model_name' | 'username', label: string) => (
    <TextInput
      label={label}
      placeholder={t('logs.any')}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <search>
      <form className={styles.filters} data-admin={isAdmin || undefined} onSubmit={submit}>
        {text('token_name', t('logs.tokenName'))}
        {text('model_name', t('logs.modelName'))}
        <TimeField
          label={t('logs.start')}
          value={draft.start_timestamp}
          onChange={(start_timestamp) => onChange({ start_timestamp: Math.max(0, start_timestamp) })}
          whenEmpty={0}
        />
        <TimeField
          label={t('logs.end')}
          value={endOf(draft)}
          onChange={(end_timestamp) => onChange({ end_timestamp: Math.max(0, end_timestamp) })}
          whenEmpty={0}
        />
        {isAdmin && (
          <TextInput
            label={t('logs.channel')}
            placeholder={t('logs.any')}
            inputMode="numeric"
            value={draft.channel || ''}
            onChange={({ currentTarget: { value } }) => digits.test(value) && onChange({ channel: Number(value) })}
          />
        )}
        {isAdmin && text('username', t('logs.username'))}
        <NativeSelect
          label={t('logs.type')}
          value={draft.type}
          onChange={(event) => onApply({ type: Number(event.currentTarget.value) })}
          data={logTypes.map((type) => ({ value: String(type), label: t(`states.log.${type}`) }))}
        />
        <Button type="submit" variant="filled">
          {t('logs.query')}
        </Button>
      </form>
    </search>
  )
}
