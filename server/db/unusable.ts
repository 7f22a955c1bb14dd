/** Says which file it is and what it should be: SQLite's own words do not. */
export function unusable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_FULL'
  const wanted = isFull
    ? 'Make room on its disk'
    : 'It must be an SQLite database that this user may write, in a folder this user may write to'
  return new Error(`${file} cannot be used: ${reason}. ${wanted}.`, { cause })
}

/** No connection, no such account, wrong password, no such database. */
const unreachableCodes = /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|28|3D|53300)/

const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && unreachableCodes.test(String(error.code))

/** The driver's words name neither the variable nor what to do. */
const unreachable = (cause: Error, variable: string): Error =>
  new Error(
    `PostgreSQL cannot be used: ${cause.message}. Check the address in ${variable}, and that the server there runs and takes this account.`,
    { cause },
  )

/** The first that is asked of a database, at the address in a variable. */
export async function reached<Result>(first: Promise<Result>, variable = 'DATABASE_URL'): Promise<Result> {
  try {
    return await first
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error, variable) : error
  }
}
