import { type ContextType, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react'
import { BrowserRouter, UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router'
import { mayLeave } from '#web/state/leaving.ts'

type Navigator = ContextType<typeof NavigationContext>['navigator']
type Target = Parameters<Navigator['push']>[0]

const pathOf = (to: Target): string | undefined => (typeof to === 'string' ? to.split(/[?#]/)[0] : to.pathname)

/** A change of the address that stays on the page. */
const stays = (to: Target): boolean => [undefined, '', window.location.pathname].includes(pathOf(to))

/**
 * The ways back and forward: the browser has gone already, and is brought back before the router learns of it. Listeners of the
 * window are called in the order they came, so this one has to stand inside the router, whose own comes after those of its children.
 */
function useGuardedHistory(): void {
  const location = useLocation()
  const here = useRef({ href: '', pathname: '', state: null as unknown })
  useLayoutEffect(() => {
    here.current = { href: window.location.href, pathname: location.pathname, state: window.history.state }
  }, [location])
  useLayoutEffect(() => {
    let decided = false
    const leave = () => {
      decided = true
      window.history.back()
    }
    const popped = (event: PopStateEvent) => {
      const { href, pathname, state } = here.current
      const goesOn = decided || window.location.pathname === pathname || mayLeave(leave)
      decided = false
      if (goesOn) return
      event.stopImmediatePropagation()
      window.history.pushState(state, '', href)
    }
    window.addEventListener('popstate', popped, { capture: true })
    return () => window.removeEventListener('popstate', popped, { capture: true })
  }, [])
}

/** Every way to another page passes here. */
function Guarded({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext)
  useGuardedHistory()
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
