import { lazy, Suspense } from 'react'
import { useUser } from '#web/state/session.tsx'
import { Loading } from './loading.tsx'

const Home = lazy(async () => ({ default: (await import('#web/features/home/home-page.tsx')).HomePage }))
const Overview = lazy(async () => ({
  default: (await import('#web/features/overview/overview-page.tsx')).OverviewPage,
}))

/** Visitors see the welcome page or the operator's own; whoever is signed in sees where the money goes. */
export function Landing() {
  const { user } = useUser()
  return <Suspense fallback={<Loading page={user ? 'overview' : 'home'} />}>{user ? <Overview /> : <Home />}</Suspense>
}
