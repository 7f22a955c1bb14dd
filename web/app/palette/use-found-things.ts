import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { channelTypeOf } from '#shared/channel-types.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import { channelList } from '#web/state/queries/channel-queries.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { userList } from '#web/state/queries/user-queries.ts'
import { useUser } from '#web/state/session.tsx'
import type { EntryGroup } from './palette-entries.ts'

const pause = 120
const shownMax = 4

const typeName = (id: number): string => {
  const type = channelTypeOf(id)
  return type ? channelTypeWords(type).label : ''
}

/** Channels, tokens and users whose name holds the words; administrators' things only for them. */
export function useFoundThings(words: string): { groups: EntryGroup[]; searching: boolean } {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const [keyword] = useDebouncedValue(words, pause)
  const args = { page: 1, pagesize: 10, keyword, order: '' }
  const more = { meta: ownReport, placeholderData: keepPreviousData, staleTime: 10_000 }
  const asked = keyword !== ''
  const channels = useQuery({ ...channelList({})(args), ...more, enabled: asked && isAdmin })
  const users = useQuery({ ...userList(args), ...more, enabled: asked && isAdmin })
  const tokens = useQuery({ ...tokenList(args), ...more, enabled: asked })
  const groups: EntryGroup[] = [
    {
      name: t('pages.tokens'),
      entries: (tokens.data?.list ?? []).map(({ id, name, status }) => ({
        id: `token ${id}`,
        label: name,
        hint: t('states.token', { returnObjects: true })[status as 1] ?? '',
        to: `/token/edit/${id}`,
      })),
    },
    {
      name: t('pages.channels'),
      entries: (channels.data?.list ?? []).map(({ id, name, type, priority }) => ({
        id: `channel ${id}`,
        label: name,
        hint: `${typeName(type)}, ${t('channels.priorityIs', { priority })}`,
        to: `/channel/edit/${id}`,
      })),
    },
    {
      name: t('pages.users'),
      entries: (users.data?.list ?? []).map(({ id, username, display_name }) => ({
        id: `user ${id}`,
        label: username,
        hint: display_name,
        to: `/user/edit/${id}`,
      })),
    },
  ]
  return {
    groups: asked ? groups.map(({ name, entries }) => ({ name, entries: entries.slice(0, shownMax) })) : [],
    searching: words !== keyword || channels.isFetching || users.isFetching || tokens.isFetching,
  }
}
