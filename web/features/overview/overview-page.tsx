import { lazy, Suspense } from 'react'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { useWalletTeam } from '#web/state/wallet.ts'
import { AdminOverview } from './admin-overview.tsx'
import { useFirstSteps } from './first-steps/use-first-steps.ts'
import { UserOverview } from './user/user-overview.tsx'

const FirstRun = lazy(async () => ({ default: (await import('./first-steps/first-run.tsx')).FirstRun }))

/** The start page of signed-in users. Administrators may also look at their own. */
export function OverviewPage() {
  const { isAdmin } = useUser()
  const team = useWalletTeam()
  return isAdmin && !team ? <OperatorsOverview /> : <UserOverview />
}

/** The way to the first answer stands in place of figures that would all be empty. */
function OperatorsOverview() {
  const { t } = useTranslation()
  const steps = useFirstSteps()
  const head = <PageHead title={t('pages.overview')} />
  if (steps === null) return <AdminOverview />
  return <Suspense fallback={head}>{steps ? <FirstRun steps={steps} /> : head}</Suspense>
}
