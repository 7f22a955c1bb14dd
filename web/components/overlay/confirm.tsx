import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'
import type { Question } from './confirm-layer.tsx'

interface Props {
  question: Question | undefined
  onConfirm: () => unknown
  opened: boolean
  onClose: () => void
  /** The button the question comes from, or what holds it. */
  children: ReactElement<Record<string, unknown>>
}

const load = () => import('./confirm-layer.tsx')
const ConfirmLayer = lazy(async () => ({ default: (await load()).ConfirmLayer }))

/** A question that hangs on the button it comes from. What draws it is fetched with the first question. */
export function Confirm({ question, onConfirm, opened, onClose, children }: Props) {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (opened) load().then(() => setArmed(true), reportFailure)
  }, [opened])
  if (!armed) return children
  return (
    <Suspense fallback={children}>
      <ConfirmLayer question={question} onConfirm={onConfirm} opened={opened} onClose={onClose} target={children} />
    </Suspense>
  )
}
