import { Suspense, useEffect, useRef } from 'react'
import { Outlet, type RouteObject, useLocation, useRoutes } from 'react-router'
import { NotFound } from '#web/components/page/not-found.tsx'
import { useUser } from '#web/state/session.tsx'
import { BareFrame } from './bare-frame.tsx'
import { CrashBoundary } from './crash.tsx'
import { Guard } from './guard.tsx'
import { Loading } from './loading.tsx'
import { PageTitle } from './page-title.tsx'
import { type Page, pages } from './pages.tsx'
import { Shell } from './shell.tsx'

const routeOf = ({ path, name, component: Component, access }: Page): RouteObject => ({
  path,
  element: (
    <Guard access={access}>
      <PageTitle name={name} />
      <Suspense key={path} fallback={<Loading page={name} />}>
        <Component />
      </Suspense>
    </Guard>
  ),
})

const framed = (bare: boolean): RouteObject[] => pages.filter((page) => (page.bare ?? false) === bare).map(routeOf)

/**
 * A page that crashes leaves the frame standing, and the next page is drawn afresh; so is every page for another user,
 * but for the bare ones, which are what makes someone a user.
 */
function Contained({ bare = false }: { bare?: boolean }) {
  const { user } = useUser()
  const { pathname, hash } = useLocation()
  useEffect(() => {
    if (pathname && hash === '') window.scrollTo(0, 0)
  }, [pathname, hash])
  const shown = useRef(pathname)
  useEffect(() => {
    // The link that was followed went away with its page.
    const isLost = shown.current !== pathname && document.activeElement === document.body
    if (isLost) document.getElementById('main')?.focus()
    shown.current = pathname
  }, [pathname])
  return (
    <CrashBoundary key={bare ? pathname : `${pathname} ${user?.id}`}>
      <Outlet />
    </CrashBoundary>
  )
}

const Nowhere = () => (
  <>
    <PageTitle name="notFound" />
    <NotFound />
  </>
)

const routes: RouteObject[] = [
  { element: <BareFrame />, children: [{ element: <Contained bare />, children: framed(true) }] },
  {
    element: <Shell />,
    children: [{ element: <Contained />, children: [...framed(false), { path: '*', element: <Nowhere /> }] }],
  },
]

export const PageRoutes = () => useRoutes(routes)
