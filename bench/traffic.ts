import { foldLogs } from '#server/jobs/fold-logs.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { usageFaults } from '#server/testing/usage/prove-usage.ts'
import { startTrafficScene } from '#server/testing/usage/random-traffic.ts'

const requests = Number(process.env.BENCH_REQUESTS ?? 20_000)
const at = (text: string) => Date.parse(text) / 1000
/** Clocks went back in Berlin on the 25th. */
const range = { from: at('2026-10-23T18:00:00Z'), to: at('2026-10-26T12:00:00Z') }

/** Random traffic through the real relay: every figure of every usage call is the sum over the rows, before folding and after. */
export async function benchTraffic(): Promise<void> {
  const scene = await startTrafficScene(await freshDatabaseUrl())
  const { app, root, user, userId, bert, teamId } = scene
  try {
    await scene.send(createDice(17), requests, range)
    const rows = await app.ctx.database.db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    const views = [
      { name: 'everything', client: root, scope: 'all', isAdmin: true, holds: () => true },
      {
        name: 'ann',
        client: user,
        scope: 'self',
        isAdmin: false,
        holds: (row: (typeof rows)[0]) => row.user_id === userId,
      },
      {
        name: 'bert',
        client: bert,
        scope: 'self',
        isAdmin: false,
        holds: (row: (typeof rows)[0]) => row.user_id === bert.userId,
      },
      {
        name: 'team',
        client: user,
        scope: `team:${teamId}`,
        isAdmin: false,
        holds: (row: (typeof rows)[0]) => row.team_id === teamId,
      },
    ]
    const zones = ['Europe/Berlin', 'UTC']
    const faults = await usageFaults(rows, views, range, zones)
    await foldLogs(app.ctx)
    faults.push(...(await usageFaults(rows, views, range, zones)))
    console.log(`${rows.length} requests on ${onPostgres ? 'PostgreSQL' : 'SQLite'}: ${faults.length} figures differ`)
    for (const fault of faults.slice(0, 20)) console.log(fault)
    if (faults.length > 0 || rows.length !== requests) process.exitCode = 1
  } finally {
    await scene.stop()
  }
}
