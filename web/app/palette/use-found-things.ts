import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { modelsApi } from '#shared/api/models.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { type OptionSection, optionSections } from '#shared/option-sections.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import { channelList } from '#web/state/queries/channel-queries.ts'
import { teamList } from '#web/state/queries/team-queries.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { userList } from '#web/state/queries/user-queries.ts'
import { useUser } from '#web/state/session.tsx'
import type { EntryGroup } from './palette-entries.ts'
import { requestEntries, thingActions } from './thing-actions.ts'

const pause = 120
const shownMax = 4

const typeName = (id: number): string => {
  const type = channelTypeOf(id)
  return type ? channelTypeWords(type).label : ''
}

const sections = Object.keys(optionSections) as OptionSection[]

/** Channels, models, tokens, users, teams and settings whose name holds the words; administrators' things only for them. */
export function useFoundThings(words: string): { groups: EntryGroup[]; searching: boolean } {
  const { t } = useTranslation()
  const { user, isAdmin } = useUser()
  const [keyword] = useDebouncedValue(words, pause)
  const args = { page: 1, pagesize: 10, keyword, order: '' }
  const more = { meta: ownReport, placeholderData: keepPreviousData, staleTime: 10_000 }
  const asked = keyword !== ''
  const channels = useQuery({ ...channelList({})(args), ...more, enabled: asked && isAdmin })
  const users = useQuery({ ...userList(args), ...more, enabled: asked && isAdmin })
  const tokens = useQuery({ ...tokenList(args), ...more, enabled: asked })
  const teams = useQuery({ ...teamList(args), ...more, enabled: asked })
  const models = useQuery({
    queryKey: ['catalogue', user?.id ?? 0, { keyword, pagesize: 10 }],
    queryFn: () => call(modelsApi.list, { keyword, pagesize: 10 }),
    ...more,
    enabled: asked,
  })
  const holds = (name: string) => name.toLowerCase().includes(keyword.toLowerCase())
  const groups: EntryGroup[] = [
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
      name: t('pages.models'),
      entries: (models.data?.list ?? []).map(({ id, vendor }) => ({
        id: `model ${id}`,
        label: id,
        hint: vendor,
        to: `/model?open=${encodeURIComponent(id)}&keyword=${encodeURIComponent(id)}`,
      })),
    },
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
      name: t('pages.users'),
      entries: (users.data?.list ?? []).map(({ id, username, display_name }) => ({
        id: `user ${id}`,
        label: username,
        hint: display_name,
        to: `/user/edit/${id}`,
      })),
    },
    {
      name: t('pages.teams'),
      entries: (teams.data?.list ?? [])
        .filter(({ name }) => holds(name))
        .map(({ id, name }) => ({ id: `team ${id}`, label: name, to: `/team/${id}` })),
    },
    {
      name: t('pages.settings'),
      entries: (isAdmin ? sections : [])
        .map((name) => ({ name, title: t(`settings.groups.${name}.title`) }))
        .filter(({ title }) => holds(title))
        .map(({ name, title }) => ({
          id: `section ${name}`,
          label: title,
          hint: t(`settings.tabs.${optionSections[name].tab}`),
          to: `/setting?tab=${optionSections[name].tab}#${name}`,
        })),
    },
  ].map(({ name, entries }) => ({ name, entries: entries.slice(0, shownMax) }))
  const best = { channel: channels.data?.list[0], model: models.data?.list[0]?.id }
  const doing = { name: t('palette.do'), entries: isAdmin ? thingActions(t, best) : [] }
  const requests = { name: t('pages.log'), entries: requestEntries(t, keyword) }
  return {
    groups: asked ? [...groups, doing, requests] : [],
    searching: words !== keyword || [channels, users, tokens, teams, models].some(({ isFetching }) => isFetching),
  }
}
