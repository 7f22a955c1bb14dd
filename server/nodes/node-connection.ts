import type pg from 'pg'
import type { HostFinder } from '#server/db/postgres/host-finder.ts'
import { clientClass, finderOf, firstUrlOf } from '#server/db/postgres/postgres-client.ts'
import { isSilence } from '#server/db/postgres/postgres-pool.ts'
import type { Logger } from '#server/lib/log.ts'

/** What a node does with the connection it keeps to the database beside its pool. */
export interface ConnectionUse {
  /** A new connection is open. Throwing closes it again. */
  opened(client: pg.Client): Promise<void>
  /** Twice a second while it is open; proves it alive. Throwing closes it. */
  beat(client: pg.Client): Promise<void>
  /** The connection is gone; `silent` when the database did not answer over it. */
  lost(silent: boolean): void
}

export interface NodeConnection {
  stop(): Promise<void>
}

const beatEveryMs = 500
const timeoutMs = 3000
const pausesMs = [50, 200, 500, 1000] as const

/** Keeps one connection open for what a pool cannot do: receive notifications and hold a lock. It is opened again when lost. */
export async function keepConnection(url: string, use: ConnectionUse, log: Logger): Promise<NodeConnection> {
  let stopped = false
  const isStopped = () => stopped
  const place: Place = { url, finder: finderOf(url) }
  let current = await open(place, use)

  const keep = async () => {
    for (;;) {
      const isSilent = await live(current, use, isStopped)
      use.lost(isSilent)
      place.finder.doubt()
      await close(current)
      if (stopped) return
      log.warn('the connection for news from other nodes is lost')
      const next = await reopen(place, use, isStopped)
      if (!next) return
      current = next
    }
  }
  const kept = keep()
  return {
    async stop() {
      stopped = true
      await close(current)
      await kept
    },
  }
}

interface Place {
  readonly url: string
  readonly finder: HostFinder
}

async function open({ url, finder }: Place, use: ConnectionUse): Promise<pg.Client> {
  const Client = clientClass(finder)
  const client = new Client({
    connectionString: firstUrlOf(url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'switchyard node',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await use.opened(client)
    return client
  } catch (error) {
    await close(client)
    throw error
  }
}

async function reopen(place: Place, use: ConnectionUse, isStopped: () => boolean): Promise<pg.Client | null> {
  for (let tries = 0; !isStopped(); tries += 1) {
    await Bun.sleep(pausesMs[Math.min(tries, pausesMs.length - 1)] ?? beatEveryMs)
    const client = await open(place, use).catch(() => null)
    if (client) return client
  }
  return null
}

/**
 * Resolves when the connection has ended, no longer answers (then with true) or is no longer wanted. A race against a promise that lives as
 * long as the connection would stay in memory as long, one a second.
 */
async function live(client: pg.Client, use: ConnectionUse, isStopped: () => boolean): Promise<boolean> {
  let ended = false
  let wake = () => {}
  const end = () => {
    ended = true
    wake()
  }
  client.once('end', end)
  client.once('error', end)
  const isOver = () => ended || isStopped()
  while (!isOver()) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, beatEveryMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (isOver()) return false
    try {
      await use.beat(client)
    } catch (error) {
      return isSilence(error)
    }
  }
  return false
}

/** A server that does not answer would keep a clean close waiting. */
const close = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.end().catch(() => {}), Bun.sleep(beatEveryMs)])
