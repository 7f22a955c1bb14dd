import type { Config } from './config.ts'
import { Refusal } from './refusal.ts'

type Address = Pick<Config, 'HOST' | 'PORT'>

/** Refuses an address that cannot be listened on, before anything is made or brought up to date for it. */
export function requireAddress({ HOST: hostname, PORT: port }: Address): void {
  listening({ HOST: hostname, PORT: port }, () => Bun.listen({ hostname, port, socket: { data() {} } })).stop(true)
}

/** What begins to listen there; where it cannot, the operator learns why. */
export function listening<Server>({ HOST, PORT }: Address, begin: () => Server): Server {
  try {
    return begin()
  } catch (error) {
    throw new Refusal(reasonOf(error, HOST, PORT))
  }
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set PORT to another, or stop what serves there.`
  if (code === 'EACCES') return `This user may not serve on port ${port}. Set PORT to one above 1023.`
  return `HOST must be an address of this machine, or 0.0.0.0 for all of them; ${host} is none.`
}
