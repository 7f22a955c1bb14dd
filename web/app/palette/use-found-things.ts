import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { modelsApi } from '#shared/api/models.ts'
import { type OptionSection, optionSections } from '#shared/option-sections.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
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

/** What the server finds for a word; administrators' things only for them. */
function useSearched(keyword: string) {
  const { user, isAdmin } = useUser()
  const args = { page: 1, pagesize: 10, keyword, order: '' }
  const more = { meta: ownReport, placeholderData: keepPreviousData, staleTime: 10_000 }
  const asked = keyword !== ''
  return {
    channels: useQuery({ ...channelList({})(args), ...more, enabled: asked && isAdmin }),
    users: useQuery({ ...userList(args), ...more, enabled: asked && isAdmin }),
    tokens: useQuery({ ...tokenList(args), ...more, enabled: asked }),
    teams: useQuery({ ...teamList(args), ...more, enabled: asked }),
    models: useQuery({
      queryKey: ['catalogue', user?.id ?? 0, { keyword, pagesize: 10 }],
      queryFn: () => call(modelsApi.list, { keyword, pagesize: 10 }),
      ...more,
      enabled: asked,
    }),
  }
}

type Searched = ReturnType<typeof useSearched>

const holds = (keyword: string) => (name: string) => name.toLowerCase().includes(keyword.toLowerCase())

const moreAt = (page: string, keyword: string, answer: { total: number } | undefined): More => ({
  total: answer?.total,
  to: `${page}?q=${encodeURIComponent(keyword)}`,
})

/** Where requests go and what they may ask for. */
function useRoutes({ channels, models }: Searched, keyword: string): Found[] {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { isAdmin } = useUser()
  const hintOf = useChannelHint(keyword !== '' && isAdmin)
  return [
    {
      name: t('pages.channels'),
      more: moreAt('/channel', keyword, channels.data),
      entries: (channels.data?.list ?? []).map((channel) => ({
        id: `channel ${channel.id}`,
        label: channel.name,
        hint: hintOf(channel),
        to: `/channel/edit/${channel.id}`,
        actions: channelActions(t, channel, () => askAgain(queries, 'channels')),
      })),
    },
    {
      name: t('pages.models'),
      more: moreAt('/model', keyword, models.data),
      entries: (models.data?.list ?? []).map(({ id, vendor }) => ({
        id: `model ${id}`,
        label: id,
        hint: vendor,
        to: `/model?open=${encodeURIComponent(id)}&q=${encodeURIComponent(id)}`,
        actions: modelActions(t, id, isAdmin),
      })),
    },
  ]
}

/** Who asks, and with what. */
const callersOf = (t: TFunction, { tokens, users, teams }: Searched, keyword: string): Found[] => [
  {
    name: t('pages.tokens'),
    more: moreAt('/token', keyword, tokens.data),
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
    more: moreAt('/user', keyword, users.data),
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
      .filter(({ name }) => holds(keyword)(name))
      .map(({ id, name }) => ({ id: `team ${id}`, label: name, to: `/team/${id}` })),
  },
]

const settingsOf = (t: TFunction, keyword: string): Entry[] =>
  sections
    .map((name) => ({ name, title: t(`settings.groups.${name}.title`) }))
    .filter(({ title }) => holds(keyword)(title))
    .map(({ name, title }) => ({
      id: `section ${name}`,
      label: title,
      hint: t(`settings.tabs.${optionSections[name].tab}`),
      to: `/setting?tab=${optionSections[name].tab}#${name}`,
    }))

/** Channels, models, tokens, users, teams and settings whose name holds the words. */
export function useFoundThings(words: string): FoundThings {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const [keyword] = useDebouncedValue(words, pause)
  const searched = useSearched(keyword)
  const found: readonly Found[] = [
    ...useRoutes(searched, keyword),
    ...callersOf(t, searched, keyword),
    { name: t('pages.settings'), entries: isAdmin ? settingsOf(t, keyword) : [] },
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
  const asked = keyword !== ''
  return {
    groups: asked ? [...groups, requests] : [],
    doing: asked ? shortcutGroups(t, best) : [],
    searching: words !== keyword || Object.values(searched).some(({ isFetching }) => isFetching),
  }
}
