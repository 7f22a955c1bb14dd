import { useState } from 'react'

/** Runs actions and knows while one runs. Failures are shown by the query client, where the call was made. */
export function useRunning(): [running: boolean, run: (action: (() => unknown) | undefined) => Promise<void>] {
  const [running, setRunning] = useState(false)
  const run = async (action: (() => unknown) | undefined) => {
    if (running) return
    setRunning(true)
    try {
      await action?.()
    } catch {
      // Already shown.
    } finally {
      setRunning(false)
    }
  }
  return [running, run]
}
