/**
 * Does something and returns its result with the longest time in milliseconds that this process worked without a turn for others.
 * Counted in processor time of the one thread that answers, so that other programs on the machine do not count.
 */
export async function longestStall<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly stallMs: number }> {
  let stallMs = 0
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    stallMs = Math.max(stallMs, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  try {
    const result = await work()
    look()
    return { result, stallMs }
  } finally {
    clearInterval(timer)
  }
}
