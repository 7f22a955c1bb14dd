import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { FormPage, SaveBar } from '#web/components/form/form-page.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ChannelSections } from './channel-sections.tsx'
import { type ChannelValues, changeOf, draftOf, validateChange, validateNew } from './channel-values.ts'
import { DraftTest } from './draft-test.tsx'

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
      <ChannelSections form={form} id={id} keys={keys} />
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
