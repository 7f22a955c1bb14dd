import pg from 'pg'
import type { DatabaseAddress } from './database-address.ts'

/** Knows which host of an address takes writes at the moment. */
export interface HostFinder {
  /** The address to connect to; looks around first when the last one is in doubt. */
  find(): Promise<string>
  /** The host found last may not be the right one any more. */
  doubt(): void
}

const probeMs = 2500

/** Asks a host whether it takes writes. Rejects when it does not answer, or does not take them. */
async function probe(url: string, readWrite: boolean): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs, query_timeout: probeMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as standby')
    if (readWrite && rows[0]?.standby !== false) {
      throw Object.assign(new Error('this database is a standby and takes no writes'), { code: '25006' })
    }
    return url
  } finally {
    client.end().catch(() => {})
  }
}

/** With one host there is nothing to look for. With several all are asked at once, and the first that fits is taken. */
export function createHostFinder({ urls, readWrite }: DatabaseAddress): HostFinder {
  const [only = ''] = urls
  if (urls.length === 1) return { find: async () => only, doubt: () => {} }
  let known: string | null = null
  let looking: Promise<string> | null = null
  const look = async (): Promise<string> => {
    try {
      known = await Promise.any(urls.map((url) => probe(url, readWrite)))
      return known
    } catch (error) {
      const [first] = error instanceof AggregateError ? error.errors : [error]
      throw Object.assign(new Error('no host of DATABASE_URL takes writes', { cause: first }), { code: 'ECONNREFUSED' })
    } finally {
      looking = null
    }
  }
  return {
    async find() {
      if (known !== null) return known
      looking ??= look()
      return looking
    },
    doubt() {
      known = null
    },
  }
}
