import { useEffect, useState } from 'react'
import { isTyping } from '#web/lib/keys.ts'

/** What is typed between the opening of the palette and the moment its field has the focus. */
export function useTypedAhead(opened: boolean): string {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    if (!opened) return
    const press = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey
      if (isLetter && !isTyping(event.target)) setTyped((before) => before + event.key)
    }
    // What is typed beside the field later on must not take the place of what stands in it.
    const stop = ({ target }: FocusEvent) => {
      if (isTyping(target)) window.removeEventListener('keydown', press)
    }
    window.addEventListener('keydown', press)
    window.addEventListener('focusin', stop)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('focusin', stop)
      setTyped('')
    }
  }, [opened])
  return typed
}
