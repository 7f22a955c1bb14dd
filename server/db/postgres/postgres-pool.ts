import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { HostFinder } from './host-finder.ts'
import { clientClass, finderOf, firstUrlOf } from './postgres-client.ts'
import { allowNames } from './prepared.ts'

const int8 = 20
const numeric = 1700

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

export interface PoolSettings {
  /** Without it a statement may take as long as it needs. */
  readonly timeoutMs: number | undefined
  readonly max: number
  /** For the same few statements over and over: connections stay open, so that nobody waits for one after a quiet time. */
  readonly prepares?: boolean
}

/** Connections to PostgreSQL. */
export function openPool(url: string, { timeoutMs, max, prepares = false }: PoolSettings): pg.Pool {
  const finder = finderOf(url)
  const pool = new pg.Pool({
    Client: clientClass(finder),
    connectionString: firstUrlOf(url),
    max,
    idleTimeoutMillis: prepares ? 0 : 10_000,
    // Statements sent together share one way to the server and back.
    pipeline: true,
    // Waiting for a connection to be free included.
    connectionTimeoutMillis: 8000,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: timeoutMs,
  })
  // An idle connection that breaks is replaced on next use; without a listener the process would end.
  pool.on('error', finder.doubt)
  const open = new Set<pg.PoolClient>()
  opened.set(pool, open)
  pool.on('remove', (client) => void open.delete(client))
  pool.on('connect', (client) => {
    open.add(client)
    // The same holds for one that breaks in use: its query fails with the error.
    client.on('error', finder.doubt)
    endWhenUseless(client, finder)
    // A connection that is broken fails its first query.
    if (prepares) allowNames(client).catch(() => {})
  })
  return pool
}

const opened = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

/** Ends every connection of a pool with what is asked over it: who waits for a server that has gone silent learns it now. */
export function breakOff(pool: pg.Pool): void {
  for (const client of opened.get(pool) ?? []) {
    const { connection } = client as pg.PoolClient & { readonly connection: { readonly stream: Duplex } }
    connection.stream.destroy()
  }
}

/**
 * A connection that did not answer in time is of no more use: the answer may still come, and all else waits behind it. Nor is
 * one to a server that takes no writes any more: another has taken its place.
 */
function endWhenUseless(client: pg.PoolClient, finder: HostFinder): void {
  const query = client.query.bind(client) as (...question: unknown[]) => unknown
  const watched = (...question: unknown[]) => {
    const answer = query(...question)
    if (answer instanceof Promise) {
      answer.catch((error) => {
        if (!isSilence(error) && !takesNoWrites(error)) return
        finder.doubt()
        client.end().catch(() => {})
      })
    }
    return answer
  }
  client.query = watched as typeof client.query
}

/** The server has not answered in time. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

const takesNoWrites = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '25006'
