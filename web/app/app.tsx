import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { createQueryClient, whenExpired } from '#web/lib/failures.ts'
import { readStored } from '#web/lib/storage.ts'
import { Toasts } from '#web/lib/toast.tsx'
import { leaveFreely, mayEnd } from '#web/state/leaving.ts'
import { chosenScheme, schemeManager, siteScheme } from '#web/state/scheme.ts'
import { type Origin, SessionProvider, useUser } from '#web/state/session.tsx'
import { StatusProvider, useStatus } from '#web/state/status.tsx'
import { theme } from '#web/theme/theme.ts'
import { cssVariablesResolver } from '#web/theme/variables.ts'
import { CrashBoundary } from './crash.tsx'
import { GuardedRouter } from './guarded-router.tsx'
import { PageRoutes } from './router.tsx'

/** Follows the operator's theme as long as the visitor has chosen none. */
function SiteScheme() {
  const { theme: site } = useStatus()
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(chosenScheme() ?? siteScheme(site)), [site, setColorScheme])
  return null
}

/** Sends everyone whose session is gone to the login. */
function ExpiryWatch() {
  const { signOut } = useUser()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(
    () =>
      whenExpired((why) => {
        const origin: Origin = { from: pathname + search }
        const end = () => {
          signOut(why)
          if (pathname === '/login') return
          leaveFreely(() => void navigate(`/login?${why}=true`, { replace: true, state: origin }))
        }
        const endedElsewhere = readStored('user') === undefined
        if (!endedElsewhere || mayEnd(end)) end()
      }),
    [signOut, navigate, pathname, search],
  )
  return null
}

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={schemeManager}
        deduplicateCssVariables={false}
      >
        <CrashBoundary>
          <StatusProvider>
            <SiteScheme />
            <SessionProvider>
              <CrashBoundary fallback={null}>
                <Toasts />
              </CrashBoundary>
              <GuardedRouter>
                <ExpiryWatch />
                <PageRoutes />
              </GuardedRouter>
            </SessionProvider>
          </StatusProvider>
        </CrashBoundary>
      </MantineProvider>
    </QueryClientProvider>
  )
}
