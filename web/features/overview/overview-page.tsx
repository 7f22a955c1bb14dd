import { useUser } from '#web/state/session.tsx'
import { useWalletTeam } from '#web/state/wallet.ts'
import { AdminOverview } from './admin-overview.tsx'
import { UserOverview } from './user/user-overview.tsx'

/** Where whoever is signed in lands. Administrators may also look at their own. */
export function OverviewPage() {
  const { isAdmin } = useUser()
  const team = useWalletTeam()
  return isAdmin && !team ? <AdminOverview /> : <UserOverview />
}
