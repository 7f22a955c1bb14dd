/**
 * Settles requests one after the other and dies with the last answer, before anything waits any longer:
 * `bun settle-process.ts <database> <how many> <charge>`. Prints the id of every request that was settled.
 */
import { writeSync } from 'node:fs'
import { createPayer, payOnce } from './settlements.ts'
import { startTestApp } from './test-app.ts'

const [databaseUrl = '', count = '1', charge = '1'] = process.argv.slice(2)
const { ctx } = await startTestApp({ databaseUrl })
await createPayer(ctx.database.db, 100_000)
for (let at = 0; at < Number(count); at += 1) writeSync(1, `${await payOnce(ctx, Number(charge))}\n`)
process.kill(process.pid, 'SIGKILL')
