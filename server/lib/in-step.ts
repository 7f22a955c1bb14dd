/** So many go on together: with more, the first would wait for the last longer than they win. */
const most = 16

let waiting: (() => void)[] = []

function goOn(): void {
  const these = waiting
  waiting = these.length > most ? these.splice(most) : []
  if (waiting.length > 0) setImmediate(goOn)
  for (const next of these) next()
}

/**
 * Waits until this turn of the event loop has brought all it brings, and goes on with everybody else who waits: each step of one
 * is followed by the same step of the next, whose code and tables the processor still has at hand (decision 0031).
 */
export const inStep = (): Promise<void> =>
  new Promise((next) => {
    if (waiting.push(next) === 1) setImmediate(goOn)
  })
