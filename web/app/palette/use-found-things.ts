import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { modelsApi } from '#shared/api/models.ts'
import { type OptionSection, optionSections } from '#shared/option-sections.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { channelList } from '#web/state/queries/channel-queries.ts'
import { teamList } from '#web/state/queries/team-queries.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { userList } from '#web/state/queries/user-queries.ts'
import { useUser } from '#web/state/session.tsx'
import type { Entry, EntryGroup } from './palette-entries.ts'
import { bestFirst } from './rank.ts'
import {
  channelActions,
  modelActions,
  requestEntries,
  shortcutGroups,
  tokenActions,
  userActions,
} from './thing-actions.ts'
import { useChannelHint } from './use-channel-hint.ts'

const pause = 120
const shownMax = 3

const sections = Object.keys(optionSections) as OptionSection[]

/** How many there are, and where all of them stand. */
interface More {
  readonly total: number | undefined
  readonly to: string
}

interface Found extends EntryGroup {
  readonly more?: More
}

const moreOf = (t: TFunction, name: string, more: More | undefined): Entry[] =>
  more?.total === undefined || more.total <= shownMax
    ? []
    : [{ id: `more ${more.to}`, label: t('palette.more', { count: more.total - shownMax, name }), to: more.to }]

interface FoundThings {
  readonly groups: EntryGroup[]
  /** What the best of them can do. */
  readonly doing: EntryGroup[]
  readonly searching: boolean
}

/** Channels, models, tokens, users, teams and settings whose name holds the words; administrators' things only for them. */
export function useFoundThings(words: string): FoundThings {
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
  const hintOf = useChannelHint(asked && isAdmin)
  const holds = (name: string) => name.toLowerCase().includes(keyword.toLowerCase())
  const encoded = encodeURIComponent(keyword)
  const found: readonly Found[] = [
    {
      name: t('pages.channels'),
      more: { total: channels.data?.total, to: `/channel?q=${encoded}` },
      entries: (channels.data?.list ?? []).map((channel) => ({
        id: `channel ${channel.id}`,
        label: channel.name,
        hint: hintOf(channel),
        to: `/channel/edit/${channel.id}`,
        actions: channelActions(t, channel),
      })),
    },
    {
      name: t('pages.models'),
      more: { total: models.data?.total, to: `/model?q=${encoded}` },
      entries: (models.data?.list ?? []).map(({ id, vendor }) => ({
        id: `model ${id}`,
        label: id,
        hint: vendor,
        to: `/model?open=${encodeURIComponent(id)}&q=${encodeURIComponent(id)}`,
        actions: modelActions(t, id, isAdmin),
      })),
    },
    {
      name: t('pages.tokens'),
      more: { total: tokens.data?.total, to: `/token?q=${encoded}` },
      entries: (tokens.data?.list ?? []).map(({ id, name, status }) => ({
        id: `token ${id}`,
        label: name,
        hint: t('states.token', { returnObjects: true })[status as 1] ?? '',
        to: `/token/edit/${id}`,
        actions: tokenActions(t, { id, name }),
      })),
    },
    {
      name: t('pages.users'),
      more: { total: users.data?.total, to: `/user?q=${encoded}` },
      entries: (users.data?.list ?? []).map(({ id, username, display_name }) => ({
        id: `user ${id}`,
        label: username,
        hint: display_name,
        to: `/user/edit/${id}`,
        actions: userActions(t, { id, username }),
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
  ]
  const groups: EntryGroup[] = found.map(({ name, entries, more }) => ({
    name,
    entries: [...entries.slice(0, shownMax), ...moreOf(t, name, more)],
  }))
  const best =
    bestFirst(groups, keyword)
      .flatMap(({ entries }) => entries)
      .find(({ actions }) => actions)?.actions ?? []
  const requests = { name: t('pages.log'), entries: requestEntries(t, keyword) }
  return {
    groups: asked ? [...groups, requests] : [],
    doing: asked ? shortcutGroups(t, best) : [],
    searching: words !== keyword || [channels, users, tokens, teams, models].some(({ isFetching }) => isFetching),
  }
}
