import { TextInput } from '@mantine/core'
import { NamesField } from '#web/components/choices/names-field.tsx'
import { FieldPair, FormSection } from '#web/components/form/form-page.tsx'
import { JsonInput } from '#web/components/form/json-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ChannelFormState } from './channel-values.ts'

/** How the channel is sorted, tested, and what it adds to the requests it sends. */
export function OutgoingSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('channels.form.outgoing')} hint={t('channels.form.outgoingHint')}>
      <NamesField
        label={t('channels.form.tags')}
        description={t('channels.form.tagsHelp')}
        {...form.getInputProps('tags')}
        value={form.values.tags}
      />
      <FieldPair>
        <TextInput
          label={t('channels.form.testModel')}
          description={t('channels.form.testModelHelp')}
          spellCheck={false}
          {...form.getInputProps('test_model')}
        />
        <TextInput
          label={t('channels.form.proxy')}
          description={t('channels.form.proxyHelp')}
          placeholder="socks5://user:password@host:1080"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('proxy')}
        />
      </FieldPair>
      <JsonField form={form} name="headers" placeholder={'{"x-team": "blue"}'} />
      <JsonField
        form={form}
        name="overrides"
        placeholder={'{"set": {"temperature": 0}, "default": {}, "remove": []}'}
      />
    </FormSection>
  )
}

interface JsonProps {
  form: ChannelFormState
  name: 'headers' | 'overrides'
  placeholder: string
}

function JsonField({ form, name, placeholder }: JsonProps) {
  const { t } = useTranslation()
  return (
    <JsonInput
      label={t(`channels.form.${name}`)}
      description={t(`channels.form.${name}Help`)}
      placeholder={placeholder}
      rows={3}
      value={form.values[name]}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.value)}
      error={form.errors[name]?.toString()}
    />
  )
}
