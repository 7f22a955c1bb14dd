import type { Subprocess } from 'bun'
import type { Config } from '#server/config.ts'

const requestsAtOnce = 'BUN_CONFIG_MAX_HTTP_REQUESTS'
const workerMark = 'SWITCHYARD_WORKER'
const restartAfterMs = 1000

/** True in the process that starts the serving ones: for several workers, or when the runtime's limit is not set yet. */
export const needsSupervisor = (config: Config): boolean =>
  process.env[workerMark] === undefined && (config.WORKERS > 1 || !process.env[requestsAtOnce])

/** A one-file build is its own program; otherwise the runtime is given the script it was started with. */
const self = (): string[] =>
  Bun.main.includes('$bunfs') || Bun.main.includes('~BUN') ? [process.execPath] : [process.execPath, Bun.main]

/**
 * Runs the serving processes and passes signals on to them. The runtime allows 256 upstream requests at a time unless its
 * environment says otherwise before it starts, which is why even one worker may need a process above it.
 */
export async function supervise(config: Config): Promise<number> {
  let stopping = false
  const workers = new Set<Subprocess>()
  const stop = (signal: NodeJS.Signals) => {
    stopping = true
    for (const worker of workers) worker.kill(signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const runOnce = async (index: number) => {
    const env = {
      ...process.env,
      [requestsAtOnce]: process.env[requestsAtOnce] || '65336',
      [workerMark]: String(index),
    }
    const worker = Bun.spawn([...self(), 'serve'], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    workers.add(worker)
    const code = await worker.exited
    workers.delete(worker)
    return code
  }
  const keepRunning = async (index: number) => {
    let code = await runOnce(index)
    while (config.WORKERS > 1 && code !== 0 && code !== 2 && !stopping) {
      await Bun.sleep(restartAfterMs)
      if (!stopping) code = await runOnce(index)
    }
    return code
  }
  const codes = await Promise.all(Array.from({ length: config.WORKERS }, (_, index) => keepRunning(index)))
  return Math.max(...codes)
}

/** Whether this process announces the start: the only one, or the first of several. */
export const announces = (): boolean => (process.env[workerMark] ?? '0') === '0'
