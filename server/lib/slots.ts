/** Runs at most `size` pieces of work at a time; the others wait in order. */
export function createSlots(size: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = size
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
