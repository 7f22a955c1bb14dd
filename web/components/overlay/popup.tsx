import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'

export interface PopupProps {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
  /** What it is called by readers of the screen. */
  label: string
  width?: number
  children: (close: () => void) => ReactNode
}

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
