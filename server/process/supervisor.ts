import type { Subprocess } from 'bun'
import type { Config } from './config.ts'
import { requireAddress } from './require-address.ts'
import { runtimeSettings } from './runtime-settings.mjs'

const workerMark = 'SWITCHYARD_WORKER'
const restartAfterMs = 1000
/** Starts in a row of one worker while no other serves. */
const startsMax = 5
const ready = 'ready'

/** True in the process that starts the serving ones: for several workers, or while the runtime has not been given its limit of requests. */
export const needsSupervisor = (config: Config): boolean =>
  process.env[workerMark] === undefined && (config.WORKERS > 1 || !process.env.BUN_CONFIG_MAX_HTTP_REQUESTS)

/** Its settings, but for those that are set already. */
const settings = () =>
  Object.fromEntries(Object.entries(runtimeSettings).map(([name, value]) => [name, process.env[name] || value]))

/** A one-file build is its own program; otherwise the runtime is given the script it was started with. */
const self = (): string[] =>
  Bun.main.includes('$bunfs') || Bun.main.includes('~BUN') ? [process.execPath] : [process.execPath, Bun.main]

interface Worker {
  readonly process: Subprocess
  /** True once it serves, false when it ended before. */
  readonly serves: Promise<boolean>
}

function startWorker(index: number): Worker {
  const serves = Promise.withResolvers<boolean>()
  const worker = Bun.spawn([...self(), 'serve'], {
    env: { ...process.env, ...settings(), [workerMark]: String(index) },
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => serves.resolve(message === ready),
  })
  worker.exited.then(() => serves.resolve(false))
  return { process: worker, serves: serves.promise }
}

/**
 * Runs the serving processes and passes signals on to them. The runtime reads some settings from its
 * environment before it runs anything, which is why even one worker may need a process above it. With several workers SIGHUP
 * replaces them one after the other, each when its successor serves.
 */
export async function supervise(config: Config): Promise<number> {
  // Asked while none of them serves: several share the port, and would share it with those of another start.
  if (config.WORKERS > 1) requireAddress(config)
  let stopping = false
  let hopeless = false
  const workers: Worker[] = []
  const living = new Set<Subprocess>()
  const serving = new Set<Subprocess>()
  const stop = (signal: NodeJS.Signals) => {
    stopping = true
    for (const worker of living) worker.kill(signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const start = (index: number): Worker => {
    const worker = startWorker(index)
    workers[index] = worker
    living.add(worker.process)
    worker.process.exited.then(() => {
      living.delete(worker.process)
      serving.delete(worker.process)
    })
    worker.serves.then((serves) => serves && living.has(worker.process) && serving.add(worker.process))
    return worker
  }
  /** Whoever started the program has to learn that it does not serve. */
  const giveUp = () => {
    hopeless = true
    console.error(`No process serves any more, and none comes up in ${startsMax} starts; the reason stands above.`)
    for (const worker of living) worker.kill('SIGTERM')
  }
  const first = Array.from({ length: config.WORKERS }, (_, index) => start(index))
  const came = oneServes(first)
  const keepRunning = async (began: Worker, index: number): Promise<number> => {
    let starts = 0
    for (let worker = began; ; ) {
      const code = await worker.process.exited
      starts = (await worker.serves) || serving.size > 0 ? 0 : starts + 1
      const successor = workers[index]
      if (successor && successor !== worker) worker = successor
      // A worker ended by a signal before it had a handler has stopped as asked.
      else if (stopping) return worker.process.signalCode ? 0 : code
      else if (config.WORKERS === 1 || code === 0 || code === 2) return code
      // When no worker came up at all, trying again would hide the reason.
      else if (!(await came)) return code
      else {
        if (starts === startsMax && !hopeless) giveUp()
        await Bun.sleep(restartAfterMs)
        if (stopping) return 0
        if (hopeless) return 1
        worker = start(index)
      }
    }
  }
  if (config.WORKERS > 1)
    process.on(
      'SIGHUP',
      oneAtATime(() => replaceAll(workers, start, () => stopping)),
    )
  const codes = await Promise.all(first.map(keepRunning))
  return Math.max(...codes)
}

/** True as soon as one of them serves, false when all have ended before. */
const oneServes = (workers: readonly Worker[]): Promise<boolean> =>
  Promise.any(workers.map(async ({ serves }) => (await serves) || Promise.reject())).then(
    () => true,
    () => false,
  )

/** While it runs, further calls change nothing. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let busy = false
  return async () => {
    if (busy) return
    busy = true
    await work().finally(() => {
      busy = false
    })
  }
}

/** A successor that does not come to serve leaves its predecessor in place, and ends the round. */
async function replaceAll(workers: Worker[], start: (index: number) => Worker, stopping: () => boolean): Promise<void> {
  for (const [index, old] of [...workers.entries()]) {
    if (stopping()) return
    const next = start(index)
    if (!(await next.serves)) {
      if (workers[index] === next && !stopping()) workers[index] = old
      return
    }
    old.process.kill('SIGTERM')
    await old.process.exited
  }
}

/** The number of this process among the workers of a port. */
export const workerLabel = (): string => process.env[workerMark] ?? '0'

/** Whether this process announces the start: the only one, or the first of several. */
export const announces = (): boolean => workerLabel() === '0'

/** Reports to the parent process that this one serves; calls back when the parent is gone, however it ended. */
export function reportReady(orphaned: () => void): void {
  if (!process.send) return
  process.send(ready)
  process.on('disconnect', orphaned)
}
