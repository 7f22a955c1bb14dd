import { useQuery, useQueryClient } from '@tanstack/react-query'
import { matchPath, useLocation } from 'react-router'
import type { PageName } from '#web/app/page-name.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { channelQuery } from '#web/state/queries/channel-queries.ts'
import { tokenQuery } from '#web/state/queries/token-queries.ts'
import { userQuery } from '#web/state/queries/user-queries.ts'
import { useUser } from '#web/state/session.tsx'
import type { Entry } from './palette-entries.ts'
import { channelActions, modelActions, tokenActions, userActions } from './thing-actions.ts'

/** Where a page leads on to. */
const leadsTo: Readonly<Partial<Record<string, readonly [PageName, string]>>> = {
  '/': ['statement', '/statement'],
  '/token': ['tokenAdd', '/token/add'],
  '/channel': ['channelAdd', '/channel/add'],
  '/user': ['userAdd', '/user/add'],
  '/redemption': ['redemptionAdd', '/redemption/add'],
  '/routing': ['routingSimulate', '/routing/simulate'],
  '/price': ['priceSync', '/price/sync'],
}

const searchField = () => document.querySelector<HTMLInputElement>('#main search input')

/** Asked for with the same key as the page itself does, so from memory. */
function useThingActions(pathname: string): Entry[] {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { isAdmin } = useUser()
  const idAt = (path: string) => Number(matchPath(path, pathname)?.params.id ?? 0)
  const [channelId, tokenId, userId] = [
    idAt('/channel/edit/:id'),
    idAt('/token/edit/:id'),
    idAt('/user/edit/:id'),
  ] as const
  const quiet = { meta: ownReport, retry: false }
  const channel = useQuery({ ...channelQuery(channelId), ...quiet, enabled: isAdmin && channelId > 0 }).data
  const token = useQuery({ ...tokenQuery(tokenId), ...quiet, enabled: tokenId > 0 }).data
  const user = useQuery({ ...userQuery(userId), ...quiet, enabled: isAdmin && userId > 0 }).data
  return [
    ...(channel ? channelActions(t, channel, () => askAgain(queries, 'channels')) : []),
    ...(token ? tokenActions(t, token) : []),
    ...(user ? userActions(t, user) : []),
  ]
}

/** What can be done on the page that is shown, and with the thing it is about. */
export function usePageActions(): Entry[] {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const { pathname, search } = useLocation()
  const ofThing = useThingActions(pathname)
  const next = leadsTo[pathname]
  const model = pathname === '/model' ? new URLSearchParams(search).get('open') : null
  // Words that stand for a letter after Tab; here the thing is not among the results.
  const plain = [...ofThing, ...(model ? modelActions(t, model, isAdmin) : [])].filter(
    ({ to }) => to?.split('?')[0] !== pathname,
  )
  return [
    ...(next ? [{ id: `next ${next[1]}`, label: t(`pages.${next[0]}`), to: next[1] }] : []),
    ...(searchField() ? [{ id: 'search', label: t('palette.searchPage'), keys: '/', run: focusSearch }] : []),
    ...plain.map(({ letter: _, ...entry }) => entry),
  ]
}

/** Once the palette has given the focus back. */
function focusSearch(): void {
  setTimeout(() => searchField()?.focus())
}
