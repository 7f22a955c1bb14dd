import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { channelsApi } from '#shared/api/channels.ts'
import { Loaded } from '#web/components/page/loaded.tsx'
import { call } from '#web/lib/api.ts'
import { ChannelForm } from './channel-form.tsx'
import { newChannel, valuesOf } from './channel-values.ts'

export function ChannelFormPage() {
  const { id } = useParams()
  return id === undefined ? <ChannelForm initial={newChannel} /> : <ChannelEdit key={id} id={Number(id)} />
}

function ChannelEdit({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['channels', id], queryFn: () => call(channelsApi.get, { id }), gcTime: 0 })
  return (
    <Loaded query={query} title={t('pages.channelEdit')} crumb={{ label: t('channels.title'), to: '/channel' }}>
      {(channel) => <ChannelForm id={id} initial={valuesOf(channel)} />}
    </Loaded>
  )
}
