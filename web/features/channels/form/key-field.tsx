import { Checkbox, PasswordInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { channelTypeOf } from '#shared/channel-types.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import type { ChannelFormState } from './channel-values.ts'

/** The provider's key, with its shape for the type; a new channel may bring several, one a line. */
export function KeyField({ form, creating }: { form: ChannelFormState; creating: boolean }) {
  const { t } = useTranslation()
  const { pool } = form.values
  const [batch, setBatch] = useState(pool)
  /** A single field shows one line; others left behind it would each become a channel. */
  const changeBatch = (several: boolean) => {
    setBatch(several)
    if (!several) form.setFieldValue('key', (key) => key.trim().split('\n')[0] ?? '')
  }
  const changePool = (several: boolean) => {
    form.setFieldValue('pool', several)
    if (!several && !(creating && batch)) changeBatch(false)
  }
  const type = channelTypeOf(form.values.type)
  const help = [
    type?.keyHint && t('channels.form.keyFormat', { format: type.keyHint }),
    type && channelTypeWords(type).keyHelp,
    t('channels.form.keySealed'),
    !creating && t('channels.form.keyKeep'),
  ]
  const field = {
    required: creating,
    description: help.filter(Boolean).join(' '),
    // A browser that knows the reader's own password would fill it in here unless it takes this for a new one.
    autoComplete: 'new-password',
    spellCheck: false,
    ...form.getInputProps('key'),
  }
  return (
    <div>
      {batch || pool ? (
        <Textarea label={t('channels.form.keys')} rows={5} resize="vertical" {...field} />
      ) : (
        <KeyInput {...field} />
      )}
      <Checkbox
        mt={8}
        label={t('channels.form.pool')}
        checked={pool}
        onChange={(event) => changePool(event.currentTarget.checked)}
      />
      {creating && !pool && (
        <Checkbox
          mt={8}
          label={t('channels.form.batch')}
          checked={batch}
          onChange={(event) => changeBatch(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

function KeyInput(field: { description: string; required: boolean }) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      label={t('channels.form.key')}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      {...field}
    />
  )
}
