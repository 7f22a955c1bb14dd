import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { type Access, allows } from '#shared/roles.ts'
import { NotFound } from '#web/components/page/not-found.tsx'
import { type Origin, useUser } from '#web/state/session.tsx'

export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { user, ended } = useUser()
  const location = useLocation()
  if (access === 'public') return children
  if (!user) {
    const origin: Origin = { from: location.pathname + location.search }
    const to = ended === null || ended === 'left' ? '/login' : `/login?${ended}=true`
    return <Navigate to={to} replace state={ended === 'left' ? null : origin} />
  }
  return allows(user.role, access) ? children : <NotFound />
}
