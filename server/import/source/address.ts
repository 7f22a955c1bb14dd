/** Where an old database is: a file, or a server and the database on it. */
export interface SourceAddress {
  readonly engine: 'sqlite' | 'mysql' | 'postgres'
  readonly place: string
}

const engines: Readonly<Record<string, 'mysql' | 'postgres'>> = {
  mysql: 'mysql',
  mariadb: 'mysql',
  postgres: 'postgres',
  postgresql: 'postgres',
}

/** How the programs themselves write the address of a MySQL server (`SQL_DSN`). */
const goForm = /^(?<user>[^:@/]*)(?::(?<password>.*))?@tcp\((?<host>[^)]+)\)\/(?<name>[^?]*)(?:\?.*)?$/s

const shape = 'host:port/database, with user and password before the host, and %40 for an @ in them'

/** A file is SQLite; otherwise the address says which engine. What is wrong with it is said without repeating it: passwords are in it. */
export function readAddress(text: string): SourceAddress {
  const own = goForm.exec(text)?.groups
  if (own) {
    const { user = '', password = '', host = '', name = '' } = own
    return server('mysql', `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${name}`)
  }
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? []
  const engine = scheme === undefined ? undefined : engines[scheme.toLowerCase()]
  if (engine) return server(engine, `${engine}://${rest}`)
  if (scheme !== undefined && !/^(sqlite|file)$/i.test(scheme))
    throw new Error(
      `${scheme}:// is no kind of database that is read: give a SQLite file, or an address that begins with mysql:// or postgres://`,
    )
  return { engine: 'sqlite', place: text.replace(/^(sqlite|file):(\/\/)?/i, '') }
}

function server(engine: 'mysql' | 'postgres', url: string): SourceAddress {
  if (!isReadable(url)) throw new Error(`its address is not understood: write ${engine}://${shape}`)
  if (new URL(url).pathname.length < 2) throw new Error(`its address names no database: write ${engine}://${shape}`)
  return { engine, place: url }
}

function isReadable(url: string): boolean {
  try {
    const { username, password } = new URL(url)
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

/** What may be an address that is written in another way is not repeated either. */
export const noSuchFile = (file: string): string =>
  /[@=]/.test(file)
    ? `there is no such file; the address of a server is written mysql:// or postgres://${shape}`
    : `there is no file ${file}`
