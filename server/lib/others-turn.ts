/** Yields to the event loop during long work. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
