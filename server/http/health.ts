import { sql } from 'kysely'
import type { Context } from '#server/context.ts'

const answer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' } })

const timeoutMs = 5000

/** A database that does not answer is not there. */
const within = <Result>(ms: number, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    Bun.sleep(ms).then((): never => {
      throw new Error(`the database did not answer within ${ms} ms`)
    }),
  ])

/** The process lives. */
export const healthz = (): Response => answer(200, 'ok')

/** Nothing more is to be sent here, while the last answers are finished. */
export const stopping = (): Response => answer(503, 'the node is stopping')

/** The node can serve; migrations ran before it listened, so the database is what can be missing, or room for what it writes. */
export async function readyz({
  database,
  writes,
  log,
}: Pick<Context, 'database' | 'writes' | 'log'>): Promise<Response> {
  const isReadable = await within(timeoutMs, sql`select 1`.execute(database.probe)).then(
    () => true,
    (cause) => {
      log.warn('not ready', { cause })
      return false
    },
  )
  if (!isReadable) return answer(503, 'the database cannot be reached')
  try {
    await within(timeoutMs, writes.require())
    return answer(200, 'ready')
  } catch (cause) {
    log.warn('not ready', { cause })
    return answer(503, 'the database cannot be written to')
  }
}
