import { looksOf } from '#server/lib/text/look-alike.ts'
import { isNoAddress } from '#shared/api/users.ts'
import { invalid } from '#shared/errors.ts'

/** The key by which names must be unique. Names of earlier versions may hold characters a new one may not. */
export function newNameKey(username: string): string {
  if (!isNoAddress(username)) throw invalid('username.address', {}, 'username')
  return looksOf(username)
}
