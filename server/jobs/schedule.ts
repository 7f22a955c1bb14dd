import type { Context } from '#server/context.ts'
import type { Job } from './job.ts'

export interface RunningJobs {
  /** Starts nothing more and resolves when what runs has finished. */
  stop(): Promise<void>
}

/** Up to a tenth more than asked, so that the nodes of one database do not all work at the same moment. */
const withJitter = (everyMs: number): number => everyMs * (1 + Math.random() / 10)

/** Runs each job over and over, never twice at a time; one that fails is logged and tried again at its next turn. */
export function startJobs(ctx: Context, jobs: readonly Job[], isLeader = () => true): RunningJobs {
  let stopped = false
  const timers = new Map<Job, ReturnType<typeof setTimeout>>()
  const running = new Set<Promise<void>>()

  const plan = (job: Job) => {
    if (stopped) return
    timers.set(
      job,
      setTimeout(() => {
        const turn = take(job).finally(() => {
          running.delete(turn)
          plan(job)
        })
        running.add(turn)
      }, withJitter(job.everyMs)),
    )
  }
  const take = async (job: Job) => {
    if (job.leader && !isLeader()) return
    try {
      await job.run(ctx)
    } catch (error) {
      ctx.log.error('a job failed', { job: job.name, cause: error })
    }
  }

  for (const job of jobs) plan(job)
  return {
    async stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
