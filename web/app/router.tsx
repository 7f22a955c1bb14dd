import { Suspense } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { BareFrame } from './bare-frame.tsx'
import { Crash } from './crash.tsx'
import { Guard } from './guard.tsx'
import { Loading } from './loading.tsx'
import { NotFound } from './not-found.tsx'
import { type Page, pages } from './pages.tsx'
import { Shell } from './shell.tsx'

const routeOf = ({ path, name, component: Component, access }: Page): RouteObject => ({
  path,
  errorElement: <Crash />,
  element: (
    <Guard access={access}>
      <Suspense key={path} fallback={<Loading page={name} />}>
        <Component />
      </Suspense>
    </Guard>
  ),
})

const framed = (bare: boolean): RouteObject[] => pages.filter((page) => (page.bare ?? false) === bare).map(routeOf)

export const createRouter = () =>
  createBrowserRouter([
    { element: <BareFrame />, errorElement: <Crash />, children: framed(true) },
    {
      element: <Shell />,
      errorElement: <Crash />,
      children: [...framed(false), { path: '*', element: <NotFound /> }],
    },
  ])
