import { looksOf } from '#server/lib/look-alike.ts'
import { isNoAddress } from '#shared/api/users.ts'
import { invalid } from '#shared/errors.ts'

/** By what a new name is kept apart from all others. Names of before may hold what a new one may not. */
export function newNameKey(username: string): string {
  if (!isNoAddress(username)) throw invalid('username.address', {}, 'username')
  return looksOf(username)
}
