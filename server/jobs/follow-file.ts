import type { Context } from '#server/context.ts'
import type { Job } from './job.ts'

const seen = new WeakMap<Context, number>()

/**
 * SQLite sends no notification when a command has written to the file. Its version changes with every commit of another process, and
 * with none of this one; caches are then read again.
 */
export const followFile: Job = {
  name: 'follow-file',
  everyMs: 5000,
  async run(ctx) {
    if (ctx.database.engine !== 'sqlite') return
    const version = await ctx.database.exclusive(
      (sqlite) => sqlite.query<{ data_version: number }, []>('pragma data_version').get()?.data_version ?? 0,
    )
    const before = seen.get(ctx)
    seen.set(ctx, version)
    // The first run has no earlier version to compare with, so it reads the caches again.
    if (before !== version) ctx.changes.emit({ topic: 'everything' })
  },
}
