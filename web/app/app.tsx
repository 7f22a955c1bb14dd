import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { RouterProvider } from 'react-router'
import { createQueryClient, whenExpired } from '#web/lib/failures.ts'
import { chosenScheme, schemeManager, siteScheme } from '#web/theme/scheme.ts'
import { theme } from '#web/theme/theme.ts'
import { cssVariablesResolver } from '#web/theme/variables.ts'
import { createRouter } from './router.tsx'
import { SessionProvider, useUser } from './session.tsx'
import { StatusProvider, useStatus } from './status.tsx'
import { Toasts } from './toasts.tsx'

/** Follows the operator's theme as long as the visitor has chosen none. */
function SiteScheme() {
  const { theme: site } = useStatus()
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(chosenScheme() ?? siteScheme(site)), [site, setColorScheme])
  return null
}

function Routes() {
  const [router] = useState(createRouter)
  const { signOut } = useUser()
  useEffect(
    () =>
      whenExpired(() => {
        const { pathname, search } = router.state.location
        signOut()
        if (pathname !== '/login') void router.navigate('/login?expired=true', { state: { from: pathname + search } })
      }),
    [router, signOut],
  )
  return <RouterProvider router={router} />
}

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={schemeManager}>
        <StatusProvider>
          <SiteScheme />
          <SessionProvider>
            <Toasts />
            <Routes />
          </SessionProvider>
        </StatusProvider>
      </MantineProvider>
    </QueryClientProvider>
  )
}
