import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { handFocusOn } from '#web/lib/keys.ts'

/** For a dialog that is open from the moment it is drawn: when it goes, the focus returns to where it was. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus()
    },
    [before],
  )
}

/** For a form or a line that its own answer takes away: the keys go on from what stands in its place then. */
export function useFocusHandedOn<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    const leaving = element.current
    return () => {
      if (leaving) handFocusOn(leaving)
    }
  }, [])
  return element
}
