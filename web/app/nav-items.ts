import { matchPath, useLocation } from 'react-router'
import { allows } from '#shared/roles.ts'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'
import { type Page, pages } from './pages.tsx'

export interface NavItem {
  page: Page
  /** The page shown is this one, or stands under it. */
  current: 'page' | undefined
}

/** The address of the item that the page at `pathname` belongs to. */
export function sectionOf(pathname: string): string | undefined {
  const shown = pages.find(({ path }) => matchPath(path, pathname))
  if (shown?.under) return shown.under
  return pages.find(({ nav, path }) => nav && matchPath({ path, end: path === '/' }, pathname))?.path
}

/** The items this visitor sees: nothing he would be refused, but what only needs a login is shown to everyone. */
export function useNavItems(): NavItem[] {
  const { user } = useUser()
  const status = useStatus()
  const section = sectionOf(useLocation().pathname)
  const visible = (page: Page) =>
    page.nav && (page.when?.(status) ?? true) && (page.access === 'user' || allows(user?.role ?? 0, page.access))
  return pages.filter(visible).map((page) => ({ page, current: page.path === section ? 'page' : undefined }))
}
