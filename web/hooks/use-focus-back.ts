import { useEffect, useState } from 'react'

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
