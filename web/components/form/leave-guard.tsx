import { lazy, Suspense, useEffect, useState } from 'react'
import { keepPage, leaveFreely } from '#web/state/leaving.ts'

const LeaveQuestion = lazy(async () => ({ default: (await import('./leave-question.tsx')).LeaveQuestion }))

/** Asks before what was typed here is lost: on links, on the way back, and when the window closes. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const [go, setGo] = useState<{ on: () => void } | null>(null)
  useEffect(() => {
    if (!dirty) return
    const release = keepPage((on) => {
      setGo({ on })
      return false
    })
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', unload)
    return () => {
      release()
      window.removeEventListener('beforeunload', unload)
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
