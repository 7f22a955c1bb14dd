import pg from 'pg'

const int8 = 20
const numeric = 1700

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

/** Connections to PostgreSQL. Without `patienceMs` a statement may take as long as it needs. */
export function openPool(url: string, patienceMs: number | undefined): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: patienceMs,
  })
  // An idle connection that breaks is replaced on next use; without a listener the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // The same holds for one that breaks in use: whoever uses it hears of it from its query.
    client.on('error', () => {})
    endWhenSilent(client)
  })
  return pool
}

/** A connection that did not answer in time is of no more use: the answer may still come, and all else waits behind it. */
function endWhenSilent(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...question: unknown[]) => unknown
  const watched = (...question: unknown[]) => {
    const answer = query(...question)
    if (answer instanceof Promise) {
      answer.catch((error) => {
        if (isSilence(error)) client.end().catch(() => {})
      })
    }
    return answer
  }
  client.query = watched as typeof client.query
}

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'
