import { useEffect, useState } from 'react'

interface Following {
  readonly on: boolean
  /** New rows wait: the reader scrolled down, opened a row, or pressed P. */
  readonly paused: boolean
  readonly follow: (on: boolean) => void
  readonly goOn: () => void
}

const scrolledFrom = 200
const typing = 'input, textarea, select, [contenteditable]'

/** Whether the log is followed, and whether it stands still for its reader. */
export function useFollowing(isReading: boolean): Following {
  const [on, setOn] = useState(false)
  const [stopped, setStopped] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    if (!on) return
    const onScroll = () => setScrolled(window.scrollY > scrolledFrom)
    const onKey = (event: KeyboardEvent) => {
      const free = !(event.target instanceof Element && event.target.closest(typing))
      if (event.key.toLowerCase() === 'p' && free && !event.ctrlKey && !event.metaKey) setStopped((before) => !before)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('keydown', onKey)
    }
  }, [on])
  return {
    on,
    paused: on && (stopped || scrolled || isReading),
    follow: (next) => {
      setOn(next)
      setStopped(false)
      setScrolled(false)
    },
    goOn: () => {
      setStopped(false)
      window.scrollTo({ top: 0 })
    },
  }
}
