/** A fair mutex. An uncontended `acquire` costs no timer and no I/O. */
export interface Mutex {
  acquire(): Promise<void>
  release(): void
  isHeld(): boolean
}

export function createMutex(): Mutex {
  let held = false
  const waiting: (() => void)[] = []
  return {
    async acquire() {
      if (!held) {
        held = true
        return
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else held = false
    },
    isHeld: () => held,
  }
}
