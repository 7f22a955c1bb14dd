import { type ContextType, type ReactNode, useContext, useMemo } from 'react'
import { BrowserRouter, UNSAFE_NavigationContext as NavigationContext } from 'react-router'
import { mayLeave } from '#web/state/leaving.ts'

type Navigator = ContextType<typeof NavigationContext>['navigator']
type Target = Parameters<Navigator['push']>[0]

const pathOf = (to: Target): string | undefined => (typeof to === 'string' ? to.split(/[?#]/)[0] : to.pathname)

/** A change of the address that stays on the page. */
const stays = (to: Target): boolean => [undefined, '', window.location.pathname].includes(pathOf(to))

/** Every way to another page that the console itself takes passes here. */
function Guarded({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext)
  const guarded = useMemo(() => {
    const { navigator } = context
    const own: Navigator = {
      ...navigator,
      createHref: (to) => navigator.createHref(to),
      go: (delta) => navigator.go(delta),
      push(to, ...rest) {
        const go = () => navigator.push(to, ...rest)
        if (stays(to) || mayLeave(go)) go()
      },
      replace(to, ...rest) {
        const go = () => navigator.replace(to, ...rest)
        if (stays(to) || mayLeave(go)) go()
      },
    }
    return { ...context, navigator: own }
  }, [context])
  return <NavigationContext value={guarded}>{children}</NavigationContext>
}

/** The router of the browser, which asks before it leaves something half filled in. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  return (
    <BrowserRouter>
      <Guarded>{children}</Guarded>
    </BrowserRouter>
  )
}
