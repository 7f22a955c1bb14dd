import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Loaded } from '#web/components/page/loaded.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelQuery } from '#web/state/queries/channel-queries.ts'
import { ChannelForm } from './channel-form.tsx'
import { newChannel, valuesOf } from './channel-values.ts'

export function ChannelFormPage() {
  const { id } = useParams()
  return id === undefined ? <ChannelForm initial={newChannel} /> : <ChannelEdit key={id} id={Number(id)} />
}

function ChannelEdit({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useQuery(channelQuery(id))
  return (
    <Loaded query={query} title={t('pages.channelEdit')} crumb={{ label: t('channels.title'), to: '/channel' }}>
      {(channel) => <ChannelForm id={id} initial={valuesOf(channel)} keys={channel.keys} />}
    </Loaded>
  )
}
