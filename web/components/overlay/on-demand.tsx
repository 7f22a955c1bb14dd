import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'

interface OnButton {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
}

/** What opens on a button. What draws it is fetched as the pointer comes near: most visits open none. */
export function onDemand<Props extends OnButton>(kind: 'menu' | 'dialog', load: () => Promise<ComponentType<Props>>) {
  const Layer = lazy(async () => ({ default: await load() }))
  const preload = () => void load().catch(() => undefined)
  return function OnDemand(props: Props) {
    const [armed, setArmed] = useState(false)
    const closed = cloneElement(props.target, {
      'aria-haspopup': kind,
      'aria-expanded': false,
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => void load().then(() => setArmed(true), reportFailure),
    })
    if (!armed) return closed
    return (
      <Suspense fallback={closed}>
        <Layer {...props} />
      </Suspense>
    )
  }
}
