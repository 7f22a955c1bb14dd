import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { startOpenLoad } from './support/open-load.ts'
import { startChild } from './support/process.ts'
import { createRelayProcess, plainModel, rootPassword, setUpRelay } from './support/relay-process.ts'

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000)
const perSecond = Number(process.env.BENCH_RATE ?? 200)
const growthMaxMb = 30
const rowsPerInsert = 100_000
const settleSeconds = 30
const warmUpPerSecond = 1000

async function seed(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl)
  await migrate(database)
  const end = Math.floor(Date.now() / 1000) - 60
  for (let from = 0; from < rows; from += rowsPerInsert) {
    const to = Math.min(from + rowsPerInsert, rows)
    await sql`
      insert into logs (user_id, username, created_at, type, token_name, model_name, channel, quota, prompt_tokens,
        completion_tokens, content, request_id, outcome)
      with recursive n(i) as (select cast(${sql.lit(from + 1)} as bigint) union all select i + 1 from n where i < ${sql.lit(to)})
      select 1, 'root', ${sql.lit(end)} - (${sql.lit(rows)} - i) * 5, 2, 'token', 'model-' || i % 20, 1 + i % 9, i % 1000,
        i % 4000, i % 900, '=1+' || i, 'seeded-' || i, 'done' from n`.execute(database.db)
  }
  // A log is in the roll-ups seconds after it was written: that work is not the export's.
  await foldLogs({ database }, { leastRows: 200_000, mostRows: 200_000, stepMs: 60_000 })
  await database.close()
}

/** Reads an answer to its end; answers how many lines it had, and how many would be run by a spreadsheet. */
async function countLines(answer: Response): Promise<{ lines: number; formulas: number }> {
  const decoder = new TextDecoder()
  let rest = ''
  let lines = 0
  let formulas = 0
  for await (const chunk of answer.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\r\n')
    rest = parts.pop() ?? ''
    lines += parts.length
    formulas += parts.filter((line) => /(^|,)"?[=+@]/.test(line)).length
  }
  return { lines, formulas }
}

/** The whole log as a file while the relay serves: memory does not grow with it, and nobody notices. */
export async function benchExport(): Promise<void> {
  const mock = await startChild(join(import.meta.dirname, 'support/mock-upstream.ts'))
  const relay = await createRelayProcess(process.env.DATABASE_URL)
  await seed(relay.databaseUrl)
  try {
    await relay.start()
    const [key = ''] = await setUpRelay(relay, mock)
    const body = () =>
      JSON.stringify({ model: plainModel, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] })
    const asked = { url: `${relay.url}/v1/chat/completions`, key, streamShare: 0, body }
    // A password is checked with 64 MB, which are given back: that is not the export's.
    const login = await fetch(`${relay.url}/api/user/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'root', password: rootPassword }),
    })
    const cookie = login.headers.getSetCookie().map((each) => each.split(';')[0])
    // A relay grows while it warms up, whatever it is asked for.
    const warmUp = startOpenLoad({ ...asked, perSecond: warmUpPerSecond })
    await Bun.sleep(settleSeconds * 1000)
    await warmUp.stop()
    const load = startOpenLoad({ ...asked, perSecond })
    const before = relay.memoryMb()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, relay.memoryMb())
    }, 100)
    const began = performance.now()
    const until = Math.floor(Date.now() / 1000) - 60
    const answer = await fetch(`${relay.url}/api/log/export?format=csv&end_timestamp=${until}`, {
      headers: { cookie: cookie.join('; ') },
    })
    const { lines, formulas } = await countLines(answer)
    clearInterval(watch)
    const seconds = (performance.now() - began) / 1000
    const { requests, errors } = await load.stop()
    console.log(`${lines - 1} rows in ${seconds.toFixed(1)} s, ${formulas} cells a spreadsheet would run`)
    console.log(
      `memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most: ${(most - before).toFixed(0)} MB more`,
    )
    console.log(`${requests} requests meanwhile, ${errors} errors`)
    if (lines - 1 < rows || formulas > 0 || most - before > growthMaxMb || errors > 0) process.exitCode = 1
  } finally {
    await relay.kill()
    await mock.stop('SIGKILL')
  }
}
