import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { channelTypeOf, channelTypes } from '#shared/channel-types.ts'
import { ChannelTypeName } from '#web/components/channel-type.tsx'
import { FieldPair, FormSection } from '#web/components/form-page.tsx'
import { sayText } from '#web/lib/messages.ts'
import type { ChannelFormState } from './channel-values.ts'
import { otherFor } from './channel-values.ts'
import { KeyField } from './key-field.tsx'

const typeChoices = () => channelTypes.map(({ id, label }) => ({ value: String(id), label: sayText(label) }))

/** Who answers, and with which key. What is asked depends on the type. */
export function ProviderSection({ form, creating }: { form: ChannelFormState; creating: boolean }) {
  const { t } = useTranslation()
  const changeType = (chosen: string | null) => {
    const { type, other } = form.values
    const next = Number(chosen ?? type)
    form.setValues({ type: next, other: otherFor(type, next, other) })
  }
  return (
    <FormSection title={t('channels.form.provider')} hint={t('channels.form.providerHint')}>
      <FieldPair>
        <TextInput label={t('channels.name')} required maxLength={100} {...form.getInputProps('name')} />
        <Select
          label={t('channels.type')}
          required
          data={typeChoices()}
          searchable
          allowDeselect={false}
          maxDropdownHeight={320}
          renderOption={({ option }) => <ChannelTypeName type={Number(option.value)} />}
          comboboxProps={{ portalProps: { target: '#floating' } }}
          value={String(form.values.type)}
          onChange={changeType}
          error={form.errors.type}
        />
      </FieldPair>
      <KeyField form={form} creating={creating} />
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
          label={sayText(type.other.label)}
          description={sayText(type.other.help)}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('other')}
        />
      )}
    </FieldPair>
  )
}
