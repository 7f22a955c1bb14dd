import { useQuery } from '@tanstack/react-query'
import { matchPath, useLocation } from 'react-router'
import { allows } from '#shared/roles.ts'
import type { PageName } from '#web/app/page-name.ts'
import { type NavGroup, navGroups, type Page, pages } from '#web/app/pages.tsx'
import { attentionQuery } from '#web/state/queries/site-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'

export interface NavItem {
  page: Page
  /** Its label: signed-in users start at the overview. */
  name: PageName
  /** The page shown is this one, or stands under it. */
  current: 'page' | undefined
  /** How much waits there for this person. */
  waiting: number
}

export interface NavItems {
  group: NavGroup
  items: NavItem[]
}

/** The page at an address. */
export const pageAt = (pathname: string): Page | undefined => pages.find(({ path }) => matchPath(path, pathname))

/** The address of the item that the page at `pathname` belongs to. */
export function sectionOf(pathname: string): string | undefined {
  const shown = pageAt(pathname)
  if (shown?.under) return shown.under
  return pages.find(({ nav, path }) => nav && matchPath({ path, end: path === '/' }, pathname))?.path
}

/** What waits, by the address of the page it waits on. */
function useWaiting(): Readonly<Record<string, number>> {
  const { isAdmin } = useUser()
  const { data } = useQuery({ ...attentionQuery, enabled: isAdmin })
  return isAdmin && data ? { '/channel': data.channels, '/price': data.prices } : {}
}

/** The items this visitor sees, by group: nothing he would be refused, but what only needs a login is shown to everyone. */
export function useNavItems(): NavItems[] {
  const { user } = useUser()
  const status = useStatus()
  const waiting = useWaiting()
  const section = sectionOf(useLocation().pathname)
  const visible = (page: Page) =>
    (page.when?.(status) ?? true) && (page.access === 'user' || allows(user?.role ?? 0, page.access))
  const itemOf = (page: Page): NavItem => ({
    page,
    name: page.path === '/' && user ? 'overview' : page.name,
    current: page.path === section ? 'page' : undefined,
    waiting: waiting[page.path] ?? 0,
  })
  return navGroups
    .map((group) => ({ group, items: pages.filter((page) => page.nav === group && visible(page)).map(itemOf) }))
    .filter(({ items }) => items.length > 0)
}
