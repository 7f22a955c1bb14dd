import { useEffect, useState } from 'react'

const cooldown = 30_000

const secondsUntil = (end: number): number => Math.max(0, Math.ceil((end - Date.now()) / 1000))

/** Seconds until something may be sent again; 0 when it may. Measured by the clock: timers sleep in a hidden tab. */
export function useCooldown(): [left: number, start: () => void] {
  const [end, setEnd] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (secondsUntil(end) === 0) return
    const timer = setInterval(() => {
      const rest = secondsUntil(end)
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [end])
  const start = () => {
    setEnd(Date.now() + cooldown)
    setLeft(cooldown / 1000)
  }
  return [left, start]
}
