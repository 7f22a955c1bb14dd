import { lazy, Suspense, useEffect, useState } from 'react'
import { keepPage, leaveFreely } from '#web/state/leaving.ts'

const LeaveQuestion = lazy(async () => ({ default: (await import('./leave-question.tsx')).LeaveQuestion }))

/** Asks before what was typed here is lost: on links, on the way back, and when the window closes. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const [go, setGo] = useState<{ on: () => void } | null>(null)
  useEffect(() => {
    if (!dirty) return
    const here = window.location.href
    const release = keepPage((on) => {
      setGo({ on })
      return false
    })
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    const back = (event: PopStateEvent) => {
      if (window.location.pathname === new URL(here).pathname) return
      // The browser has gone already: it is brought back before the router learns of it.
      event.stopImmediatePropagation()
      const there = window.location.href
      window.history.pushState(event.state, '', here)
      setGo({ on: () => window.location.assign(there) })
    }
    window.addEventListener('beforeunload', unload)
    window.addEventListener('popstate', back, { capture: true })
    return () => {
      release()
      window.removeEventListener('beforeunload', unload)
      window.removeEventListener('popstate', back, { capture: true })
    }
  }, [dirty])
  if (!go) return null
  return (
    <Suspense>
      <LeaveQuestion
        onStay={() => setGo(null)}
        onLeave={() => {
          setGo(null)
          leaveFreely(go.on)
        }}
      />
    </Suspense>
  )
}
