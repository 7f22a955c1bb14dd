/** Says which file it is and what it should be: SQLite's own words do not. */
export function unusable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const wanted = 'It must be an SQLite database that this user may write, in a folder this user may write to'
  return new Error(`${file} cannot be used: ${reason}. ${wanted}.`, { cause })
}
