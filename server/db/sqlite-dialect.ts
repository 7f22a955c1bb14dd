import type { Database as Sqlite } from 'bun:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

type Bindable = string | number | bigint | boolean | null | Uint8Array

/** One user of the connection at a time, those outside of Kysely included. */
export interface ConnectionTurn {
  use(): Promise<void>
  release(): void
}

/** Kysely over one bun:sqlite connection. `onChange` gets every statement that may change a row. */
export function bunSqliteDialect(sqlite: Sqlite, turn: ConnectionTurn, onChange: (statement: string) => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(sqlite, turn, onChange),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function createDriver(sqlite: Sqlite, turn: ConnectionTurn, onChange: (statement: string) => void): Driver {
  const connection = createConnection(sqlite, onChange)
  const run = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql)).then(() => undefined)
  return {
    init: async () => {},
    async acquireConnection() {
      await turn.use()
      return connection
    },
    releaseConnection: async () => turn.release(),
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    // A full or failing disk has ended the transaction already; another rollback would hide that.
    async rollbackTransaction() {
      if (sqlite.inTransaction) await run('rollback')
    },
    destroy: async () => {},
  }
}

function createConnection(sqlite: Sqlite, onChange: (statement: string) => void): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (!sql.trimStart().startsWith('select')) onChange(sql)
      const statement = sqlite.query<Row, Bindable[]>(sql)
      const values = parameters as Bindable[]
      if (statement.columnNames.length > 0) return { rows: statement.all(...values) }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    // biome-ignore lint/correctness/useYield: streaming is not offered on this connection
    async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
      throw new Error('streaming queries are not supported on SQLite')
    },
  }
}
