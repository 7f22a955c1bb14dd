import { CompiledQuery, type Dialect, PostgresDialect } from 'kysely'
import type pg from 'pg'

/**
 * Said inside every transaction rather than once a connection, so that a pooler in between bears it: a node that is paused or
 * cut off in the middle of one keeps its locks no longer than this.
 */
export const transactionLimits = "set local idle_in_transaction_session_timeout = '4s'"

/** Transactions of a serving node: none keeps others waiting for long. */
export function servingDialect(pool: pg.Pool): Dialect {
  const dialect = new PostgresDialect({ pool })
  const createDriver = dialect.createDriver.bind(dialect)
  dialect.createDriver = () => {
    const driver = createDriver()
    const begin = driver.beginTransaction.bind(driver)
    driver.beginTransaction = async (connection, settings) => {
      // Both are on their way before the first is answered.
      await Promise.all([begin(connection, settings), connection.executeQuery(CompiledQuery.raw(transactionLimits))])
    }
    return driver
  }
  return dialect
}
