import { type KeyboardEvent, useState } from 'react'

interface Opens {
  /** What lies behind a bucket. */
  readonly onOpen: (bucket: number) => void
  /** The changes that were made in it. */
  readonly onChanges: (bucket: number) => void
}

const week = 7

/** Which bucket the reader looks at: by pointer, or by the keys of a slider. */
export function useCrosshair(count: number, { onOpen, onChanges }: Opens) {
  const [at, setAt] = useState<number | null>(null)
  const move = (to: number) => setAt(Math.min(count - 1, Math.max(0, to)))
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? count - 1
    const steps: Record<string, () => void> = {
      ArrowLeft: () => move(now - 1),
      ArrowRight: () => move(now + 1),
      PageUp: () => move(now - week),
      PageDown: () => move(now + week),
      Home: () => move(0),
      End: () => move(count - 1),
      Enter: () => (event.shiftKey ? onChanges(now) : onOpen(now)),
      Escape: () => setAt(null),
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    step()
  }
  return { at, setAt, onKeyDown }
}
