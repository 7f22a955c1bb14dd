import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'
import type { MenuEntry } from './menu-layer.tsx'

interface Props {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'top-start'
}

const load = () => import('./menu-layer.tsx')
const MenuLayer = lazy(async () => ({ default: (await load()).MenuLayer }))
const preload = () => void load().catch(() => undefined)

/** A menu on a button. What draws it is fetched as the pointer comes near: most visits open none. */
export function ActionMenu({ target, entries, position = 'bottom-end' }: Props) {
  const [armed, setArmed] = useState(false)
  const closed = cloneElement(target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => void load().then(() => setArmed(true), reportFailure),
  })
  if (!armed) return closed
  return (
    <Suspense fallback={closed}>
      <MenuLayer target={target} entries={entries} position={position} />
    </Suspense>
  )
}
