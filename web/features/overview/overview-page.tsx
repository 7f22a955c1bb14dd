import { useUser } from '#web/state/session.tsx'
import { AdminOverview } from './admin-overview.tsx'
import { UserOverview } from './user/user-overview.tsx'

/** Where whoever is signed in lands. Administrators may also look at their own. */
export function OverviewPage() {
  const { isAdmin } = useUser()
  return isAdmin ? <AdminOverview /> : <UserOverview />
}
