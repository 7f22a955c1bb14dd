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
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', press)
      setTyped('')
    }
  }, [opened])
  return typed
}
