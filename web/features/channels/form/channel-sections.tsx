import { TextInput } from '@mantine/core'
import type { Channel } from '#shared/api/channels.ts'
import { FieldPair, FormSection } from '#web/components/form/form-page.tsx'
import { LimitFields } from '#web/components/form/limit-fields.tsx'
import { WholeNumberInput } from '#web/components/form/whole-number-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ChannelFormState } from './channel-values.ts'
import { ModelsSection } from './models-section.tsx'
import { OutgoingSection } from './outgoing-section.tsx'
import { ProviderSection } from './provider-section.tsx'

interface Props {
  form: ChannelFormState
  id: number | undefined
  keys: Channel['keys']
}

/** Every setting of a channel. */
export function ChannelSections({ form, id, keys }: Props) {
  return (
    <>
      <ProviderSection form={form} creating={id === undefined} keys={keys} />
      <ModelsSection form={form} id={id} />
      <RoutingSection form={form} />
      <OutgoingSection form={form} />
    </>
  )
}

function RoutingSection({ form }: { form: ChannelFormState }) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('channels.form.routing')} hint={t('channels.form.routingHint')}>
      <FieldPair>
        <WholeNumberInput
          label={t('channels.priority')}
          negative
          description={t('channels.form.priorityHelp')}
          {...form.getInputProps('priority')}
        />
        <WholeNumberInput
          label={t('channels.weight')}
          negative
          description={t('channels.form.weightHelp')}
          {...form.getInputProps('weight')}
        />
      </FieldPair>
      <LimitFields field={(name) => form.getInputProps(name)} />
      <TextInput
        inputMode="decimal"
        label={t('channels.form.costRatio')}
        description={t('channels.form.costRatioHelp')}
        {...form.getInputProps('cost_ratio')}
      />
    </FormSection>
  )
}
