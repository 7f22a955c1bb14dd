/** The column of `users` whose value another row already has, when that is why a write failed. */
export function takenColumn(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  if (code !== '23505' && !code.startsWith('SQLITE_CONSTRAINT')) return null
  const where = 'constraint' in error ? String(error.constraint) : error.message
  const column = /users[._](\w+)/.exec(where)?.[1] ?? null
  return column === 'name_key' ? 'username' : column
}
