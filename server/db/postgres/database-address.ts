/** A database that may live on one of several hosts, as libpq writes it: `postgres://user:pass@h1:5432,h2/db?…`. */
export interface DatabaseAddress {
  /** One ordinary address a host, in the order given. */
  readonly urls: readonly string[]
  /** Whether the host must accept writes: always asked where there is a choice. */
  readonly readWrite: boolean
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/
const hostShape = /^(?:\[[^[\]]*\]|[^:[\]]*)(?::(\d*))?$/
const portMax = 65_535
const attribute = 'target_session_attrs'
const known = new Set(['any', 'read-write', 'primary'])

function isHost(text: string): boolean {
  const [found, port = ''] = hostShape.exec(text) ?? []
  return found !== undefined && Number(port) <= portMax
}

/** Null when the text is no address of a PostgreSQL database. */
export function readDatabaseAddress(text: string): DatabaseAddress | null {
  const [, scheme, login, hosts = '', path = '', query = ''] = shape.exec(text) ?? []
  if (scheme === undefined) return null
  const settings = new URLSearchParams(query)
  const wanted = settings.get(attribute)
  if (wanted !== null && !known.has(wanted)) return null
  const names = hosts.split(',').map((host) => host.trim())
  if (!names.every(isHost)) return null
  settings.delete(attribute)
  const rest = settings.size > 0 ? `${path}?${settings}` : path
  const urls = names.map((host) => `${scheme}${login === undefined ? '' : `${login}@`}${host}${rest}`)
  return { urls, readWrite: wanted === 'read-write' || wanted === 'primary' || urls.length > 1 }
}
