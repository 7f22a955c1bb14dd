import { useEffect, useState } from 'react'

const cooldownSeconds = 30

/** Seconds until something may be sent again; 0 when it may. */
export function useCooldown(): [left: number, start: () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(cooldownSeconds)]
}
