let waiting: (() => void)[] = []

function giveTurn(): void {
  const [next, ...others] = waiting
  waiting = others
  if (others.length > 0) setImmediate(giveTurn)
  next?.()
}

/** Waits for a turn of the event loop that no other long work has: however many there are, requests wait for one of them only. */
export const workTurn = (): Promise<void> =>
  new Promise((go) => {
    waiting = [...waiting, go]
    if (waiting.length === 1) setImmediate(giveTurn)
  })

/** How long a work goes on before it gives way to others. */
const sliceMs = 5

/** Tells long work when to give way to others; asked between its pieces. */
export interface WorkPace {
  isDue(): boolean
  /** Waits for the work's next turn. */
  giveWay(): Promise<void>
}

export function createPace(): WorkPace {
  let since = performance.now()
  return {
    isDue: () => performance.now() - since > sliceMs,
    async giveWay() {
      await workTurn()
      since = performance.now()
    },
  }
}
