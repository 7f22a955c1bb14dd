/** Looks after a node while others hurt it: how long it leaves a simple question unanswered, and how much it takes. */
export interface Watch {
  readonly longestMs: () => number
  readonly memoryMb: () => number
  stop(): Promise<void>
}

const everyMs = 20

/** Our own event loop may be late as well: only delays beyond its own count against the node. */
export function watch(url: string, memoryMb: () => number): Watch {
  let longest = 0
  let memory = 0
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const began = performance.now()
      let late = 0
      let due = began + everyMs
      const own = setInterval(() => {
        late = Math.max(late, performance.now() - due)
        due = performance.now() + everyMs
      }, everyMs)
      await fetch(`${url}/healthz`).catch(() => {})
      clearInterval(own)
      longest = Math.max(longest, performance.now() - began - late)
      memory = Math.max(memory, memoryMb())
      await Bun.sleep(everyMs)
    }
  })()
  return {
    longestMs: () => longest,
    memoryMb: () => memory,
    async stop() {
      isOver = true
      await looking
    },
  }
}
