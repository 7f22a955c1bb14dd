import pg from 'pg'
import { decoded } from '#server/lib/text/decoded.ts'
import { readDatabaseAddress } from './database-address.ts'
import { createHostFinder, type HostFinder } from './host-finder.ts'

/** Where the connections of one address go; those of a pool and the one for news share it. */
export function finderOf(url: string): HostFinder {
  const address = readDatabaseAddress(url)
  return createHostFinder(address ?? { urls: [url], readWrite: false })
}

/** What a client needs to know of the address before it knows the host. */
export const firstUrlOf = (url: string): string => readDatabaseAddress(url)?.urls[0] ?? url

/** How long a host has to answer before it counts as dead. */
const hostTimeoutMs = 3000

type Done = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** A client that goes where writes are taken at the moment it connects. */
export const clientClass = (finder: HostFinder): typeof pg.Client =>
  class extends pg.Client {
    constructor(settings: pg.ClientConfig) {
      super({ ...settings, connectionTimeoutMillis: hostTimeoutMs })
    }

    override connect(): Promise<pg.Client>
    override connect(done: Done): void
    override connect(done?: Done): Promise<pg.Client> | undefined {
      const connected = this.connectToFound()
      if (!done) return connected
      const report = done as (error: Error | null, client?: pg.Client) => void
      connected.then((client) => report(null, client), report)
    }

    private async connectToFound(): Promise<pg.Client> {
      const { hostname, port } = new URL(await finder.find())
      const host = decoded(hostname).replace(/^\[|\]$/g, '')
      if (host !== '') Object.assign(this, { host, port: Number(port) || 5432 })
      try {
        return await super.connect()
      } catch (error) {
        finder.doubt()
        throw error
      }
    }
  }
