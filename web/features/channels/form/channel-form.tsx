import { Skeleton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { FieldPair, FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { LimitFields } from '#web/components/form/limit-fields.tsx'
import { WholeNumberInput } from '#web/components/form/whole-number-input.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import {
  type ChannelFormState,
  type ChannelValues,
  changeOf,
  draftOf,
  validateChange,
  validateNew,
} from './channel-values.ts'
import { DraftTest } from './draft-test.tsx'

/** The pickers are a good part of the page's weight: they follow while the first fields can be filled in. */
const ProviderSection = lazy(async () => ({ default: (await import('./provider-section.tsx')).ProviderSection }))
const OutgoingSection = lazy(async () => ({ default: (await import('./outgoing-section.tsx')).OutgoingSection }))
const ModelsSection = lazy(async () => ({ default: (await import('./models-section.tsx')).ModelsSection }))

/** Without `id` it creates. */
export function ChannelForm({
  id,
  initial,
  keys = [],
}: {
  id?: number
  initial: ChannelValues
  keys?: Channel['keys']
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const creating = id === undefined
  const form = useForm({ initialValues: initial, validate: creating ? validateNew : validateChange(id) })
  const save = useSave({
    name: 'channels',
    send: async (values: ChannelValues) => {
      if (creating) await call(channelsApi.create, draftOf(values))
      else await call(channelsApi.update, changeOf(id, values))
    },
    done: t(creating ? 'channels.form.created' : 'channels.form.updated'),
    back: '/channel',
  })
  return (
    <FormPage
      title={t(creating ? 'pages.channelAdd' : 'pages.channelEdit')}
      crumb={{ label: t('channels.title'), to: '/channel' }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
    >
      <Suspense fallback={<Skeleton height={320} />}>
        <ProviderSection form={form} creating={creating} />
      </Suspense>
      <Suspense
        fallback={
          <FormSection title={t('channels.form.modelsTitle')} hint={t('channels.form.modelsHint')}>
            <Skeleton height={320} />
          </FormSection>
        }
      >
        <ModelsSection form={form} id={id} />
      </Suspense>
      <RoutingSection form={form} />
      <Suspense fallback={<Skeleton height={320} />}>
        <OutgoingSection form={form} keys={keys} />
      </Suspense>
      <SaveBar
        errors={Object.keys(form.errors).length}
        message={<DraftTest form={form} id={id} />}
        submit={t(creating ? 'channels.form.submitAdd' : 'forms.save')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate('/channel') }}
      />
    </FormPage>
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
