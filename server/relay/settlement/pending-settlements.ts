/** Settlements nobody waits for any more, because their client has left. A node that stops waits for them. */
export interface PendingSettlements {
  add(work: Promise<unknown>): void
  /** Resolves when none is under way, or when it has waited long enough. */
  done(patienceMs: number): Promise<void>
}

export function createPendingSettlements(): PendingSettlements {
  const running = new Set<Promise<unknown>>()
  const allDone = async () => {
    // Requests cut a moment ago have yet to come here.
    await Bun.sleep(0)
    while (running.size > 0) await Promise.all(running)
  }
  return {
    add(work) {
      const known: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(known))
      running.add(known)
    },
    done: (patienceMs) => Promise.race([allDone(), Bun.sleep(patienceMs)]),
  }
}
