import type { Context } from '#server/context.ts'
import { invalid } from '#shared/errors.ts'
import { keyLines } from '#shared/key-lines.ts'
import { unmaskedProxy } from '#shared/proxy-address.ts'
import type { ChannelRow } from './channels.store.ts'

/** The keys of a pool as they are stored; twice the same would be asked twice as often. */
export const joinedKeys = (lines: readonly string[]): string => [...new Set(lines)].join('\n')

/** Several keys need a pool to stand in. */
export const lacksPool = (
  { secrets }: Pick<Context, 'secrets'>,
  { pool, key_sealed }: Pick<ChannelRow, 'pool' | 'key_sealed'>,
): boolean => pool === 0 && keyLines(secrets.open(key_sealed)).length > 1

export const sealedKey = ({ secrets }: Context, key: string) => ({
  key_sealed: secrets.seal(key),
  key_hash: secrets.hash(key),
})

/** The proxy as it is stored. A masked password stands for the one there is, and for no other place. */
export function sealedProxy({ secrets }: Context, proxy: string, storedSealed: string): { proxy_sealed: string } {
  if (proxy === '') return { proxy_sealed: '' }
  const stored = secrets.open(storedSealed)
  const address = unmaskedProxy(proxy, stored)
  if (address === null) throw invalid('proxy.password', {}, 'proxy')
  return { proxy_sealed: address === stored ? storedSealed : secrets.seal(address) }
}
