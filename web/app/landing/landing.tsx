import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPage } from '#web/app/lazy-page.ts'
import { Loading } from '#web/app/loading.tsx'
import { PageTabs } from '#web/components/page/page-tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { homeQuery } from '#web/state/queries/site-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useNotice } from './use-notice.tsx'

const Home = lazyPage(
  () => import('#web/features/home/home-page.tsx'),
  (m) => m.HomePage,
)
const Overview = lazyPage(
  () => import('#web/features/overview/overview-page.tsx'),
  (m) => m.OverviewPage,
)

/** Where the operator wrote a home page, members find it beside their overview. */
function HomeTabs({ current }: { current: '/' | '/welcome' }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const { data } = useQuery(homeQuery)
  if (!user || !data) return null
  return (
    <PageTabs
      label={t('pages.home')}
      tabs={[
        { to: '/', name: t('pages.overview'), current: current === '/' },
        { to: '/welcome', name: t('pages.home'), current: current === '/welcome' },
      ]}
    />
  )
}

/** Visitors see the welcome page or the operator's own; signed-in users see their overview. */
export function Landing() {
  const { user } = useUser()
  useNotice()
  return (
    <>
      <HomeTabs current="/" />
      <Suspense fallback={<Loading page={user ? 'overview' : 'home'} />}>{user ? <Overview /> : <Home />}</Suspense>
    </>
  )
}

/** What visitors see at `/`, for signed-in users. */
export function WelcomePage() {
  useNotice()
  return (
    <>
      <HomeTabs current="/welcome" />
      <Suspense fallback={<Loading page="home" />}>
        <Home />
      </Suspense>
    </>
  )
}
