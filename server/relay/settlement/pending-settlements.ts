/** Settlements of running requests, whether or not a client waits for them. A stopping node waits for all of them. */
export interface PendingSettlements {
  add(work: Promise<unknown>): void
  /** A request has begun; the caller reports its end with `over`. */
  begin(): void
  over(): void
  /** Resolves when none is under way, or when it has waited long enough. */
  done(timeoutMs: number): Promise<void>
}

export function createPendingSettlements(): PendingSettlements {
  const running = new Set<Promise<unknown>>()
  let requests = 0
  let noneLeft: (() => void) | null = null
  const requestsOver = () => {
    if (requests === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    noneLeft = resolve
    return promise
  }
  const allDone = async () => {
    // Requests cut a moment ago are not registered yet.
    await Bun.sleep(0)
    while (running.size > 0 || requests > 0) await Promise.all([requestsOver(), ...running])
  }
  return {
    begin() {
      requests += 1
    },
    over() {
      requests -= 1
      if (requests === 0) noneLeft?.()
    },
    add(work) {
      const known: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(known))
      running.add(known)
    },
    done: (timeoutMs) => Promise.race([allDone(), Bun.sleep(timeoutMs)]),
  }
}
