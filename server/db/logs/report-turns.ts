import { AppError } from '#shared/errors.ts'

interface Line {
  running: boolean
  readonly waiting: (() => void)[]
}

/** Who is at it, by node and user. */
const lines = new Map<string, Line>()

/** As many reports of one user may wait for another of his. */
const waitingMax = 50

/**
 * One report of a user at a time on this node: log pages, figures, steps of an export. The next waits for it, and too many are
 * refused. Others have lines of their own.
 */
export async function inReportTurn<Result>(
  node: string,
  whom: number | string,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = `${node} ${whom}`
  const line = lines.get(key) ?? { running: false, waiting: [] }
  lines.set(key, line)
  if (line.running) {
    if (line.waiting.length >= waitingMax) throw new AppError('request.too_many')
    await new Promise<void>((resolve) => line.waiting.push(resolve))
  }
  line.running = true
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else lines.delete(key)
  }
}
