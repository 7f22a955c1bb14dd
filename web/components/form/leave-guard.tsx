import { lazy, Suspense, useEffect, useState } from 'react'
import { keepPage, leaveFreely } from '#web/state/leaving.ts'
import { useUser } from '#web/state/session.tsx'

const LeaveQuestion = lazy(async () => ({ default: (await import('./leave-question.tsx')).LeaveQuestion }))

/** Asks before what was typed here is lost: on links, on the way back, when the window closes, and with a session that ended elsewhere. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const { user } = useUser()
  const [go, setGo] = useState<{ on: () => void; ended: boolean } | null>(null)
  useEffect(() => {
    if (!dirty) return
    const release = keepPage((on, why) => {
      setGo({ on, ended: why === 'ended' })
      return false
    })
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', unload)
    return () => {
      release()
      window.removeEventListener('beforeunload', unload)
    }
  }, [dirty])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever logs in again in another tab goes on here
  useEffect(() => setGo((asked) => (asked?.ended ? null : asked)), [user])
  if (!go) return null
  return (
    <Suspense>
      <LeaveQuestion
        ended={go.ended}
        onStay={() => setGo(null)}
        onLeave={() => {
          setGo(null)
          leaveFreely(go.on)
        }}
      />
    </Suspense>
  )
}
