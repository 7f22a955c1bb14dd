/** Lets whatever else waits run before long work goes on. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
