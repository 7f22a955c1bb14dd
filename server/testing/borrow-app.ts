import { startTestApp, type TestApp } from './test-app.ts'
import { lendDatabase } from './worker-database.ts'

/**
 * The real app on an empty database. On PostgreSQL it is the database of the worker, which takes a fraction of the time a new one
 * takes; what the node keeps in memory is made anew each time, so that nothing of the test before can be in it.
 * Two at once are fine: the second gets a database of its own.
 */
export async function borrowApp(): Promise<TestApp> {
  const { url, giveBack } = await lendDatabase()
  const app = await startTestApp({ databaseUrl: url })
  let stopped: Promise<void> | undefined
  return {
    ...app,
    stop: () => {
      // Stopping waits for settlements and closes every connection: nothing of it can write afterwards.
      stopped ??= app.stop().finally(giveBack)
      return stopped
    },
  }
}
