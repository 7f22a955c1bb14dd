import { useState } from 'react'

/** What stands in a field whose value also changes without it: another value takes the place of what was typed. */
export function useTextOf(value: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setText(value)
  }
  return [text, setText]
}
