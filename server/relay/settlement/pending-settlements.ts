/** Settlements of requests under way, whether or not somebody waits for them. A node that stops waits for them. */
export interface PendingSettlements {
  add(work: Promise<unknown>): void
  /** A request has begun; whoever calls this says when it is over. */
  begin(): void
  over(): void
  /** Resolves when none is under way, or when it has waited long enough. */
  done(patienceMs: number): Promise<void>
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
    // Requests cut a moment ago have yet to come here.
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
    done: (patienceMs) => Promise.race([allDone(), Bun.sleep(patienceMs)]),
  }
}
