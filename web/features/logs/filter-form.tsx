import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { TimeField } from '#web/components/form/time-field.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { faultMessage } from '#web/lib/messages.ts'
import { useUser } from '#web/state/session.tsx'
import styles from './logs.module.css'
import type { FilterState } from './use-log-filter.ts'

const types: readonly number[] = [0, 1, 2, 3, 4]

/** The filters; the type answers at once, the others with "Query" or Enter. */
export function FilterForm({ draft, wrong, change, apply }: FilterState) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const typeNames = t('states.log', { returnObjects: true })
  // Refused requests are found under Failed; an address may ask for them alone.
  const shown = types.includes(draft.type) ? types : [...types, draft.type]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  const text = (name: 'token_name' | 'model_name' | 'username', label: string) => (
    <TextInput
      label={label}
      placeholder={t('logs.any')}
      value={draft[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  const time = (name: 'start' | 'end') => (
    <TimeField
      className={styles.time}
      label={t(`logs.${name}`)}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
      error={wrong.includes(name) && t('logs.badTime')}
    />
  )
  return (
    <search>
      <form className={styles.filters} data-admin={isAdmin || undefined} onSubmit={submit}>
        {text('token_name', t('logs.tokenName'))}
        {text('model_name', t('logs.modelName'))}
        {time('start')}
        {time('end')}
        {isAdmin && (
          <TextInput
            label={t('logs.channel')}
            placeholder={t('logs.any')}
            inputMode="numeric"
            value={draft.channel}
            error={wrong.includes('channel') && faultMessage('number.whole')}
            onChange={(event) => change({ channel: event.currentTarget.value })}
          />
        )}
        {isAdmin && text('username', t('logs.username'))}
        <NativeSelect
          label={t('logs.type')}
          value={draft.type}
          onChange={(event) => apply({ type: Number(event.currentTarget.value) })}
          data={shown.map((type) => ({ value: String(type), label: typeNames[type as 0] }))}
        />
        <Button type="submit" variant="filled" className={styles.query}>
          {t('logs.query')}
        </Button>
      </form>
    </search>
  )
}
