import { cloneElement, lazy, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'
import type { PopupProps } from './popup-layer.tsx'

const load = () => import('./popup-layer.tsx')
const PopupLayer = lazy(async () => ({ default: (await load()).PopupLayer }))
const preload = () => void load().catch(() => undefined)

/** A small form on a button. What draws it is fetched as the pointer comes near: most visits open none. */
export function Popup(props: PopupProps) {
  const [armed, setArmed] = useState(false)
  const closed = cloneElement(props.target, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => void load().then(() => setArmed(true), reportFailure),
  })
  if (!armed) return closed
  return (
    <Suspense fallback={closed}>
      <PopupLayer {...props} />
    </Suspense>
  )
}
