import { TextInput } from '@mantine/core'
import type { Channel } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { FieldPair, FormSection } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import type { ChannelFormState } from './channel-values.ts'
import { otherFor } from './channel-values.ts'
import { KeyField } from './key-field.tsx'
import { PoolKeys } from './pool-keys.tsx'
import { TypeField } from './type-field.tsx'

interface Props {
  form: ChannelFormState
  creating: boolean
  keys: Channel['keys']
}

/** Who answers, and with which key. What is asked depends on the type. */
export function ProviderSection({ form, creating, keys }: Props) {
  const { t } = useTranslation()
  const { type, other } = form.values
  const changeType = (next: number) => form.setValues({ type: next, other: otherFor(type, next, other) })
  return (
    <FormSection title={t('channels.form.provider')} hint={t('channels.form.providerHint')}>
      <FieldPair>
        <TextInput label={t('channels.name')} required maxLength={100} {...form.getInputProps('name')} />
        <TypeField label={t('channels.type')} type={type} onChange={changeType} error={form.errors.type} />
      </FieldPair>
      <KeyField form={form} creating={creating} />
      <PoolKeys keys={keys} />
      <AddressFields form={form} />
    </FormSection>
  )
}

function AddressFields({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation()
  const type = channelTypeOf(form.values.type)
  return (
    <FieldPair>
      <TextInput
        label={t('channels.form.baseUrl')}
        description={t(type?.baseUrl ? 'channels.form.baseUrlHelp' : 'channels.form.baseUrlNeeded')}
        placeholder={type?.baseUrl || t('channels.form.baseUrlDefault')}
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('base_url')}
      />
      {type?.other && (
        <TextInput
          label={channelTypeWords(type).otherLabel}
          description={channelTypeWords(type).otherHelp}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('other')}
        />
      )}
    </FieldPair>
  )
}
