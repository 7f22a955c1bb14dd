import type { SecretBox } from '#server/lib/secret-box.ts'

/** A redemption code as it is stored: a hash to find it by, and the code itself sealed, to show it to administrators. */
export interface KeptCode {
  readonly key: string
  readonly key_sealed: string
}

const prefix = 'h1.'

const recognised = ({ hash }: Pick<SecretBox, 'hash'>, code: string): string => prefix + hash(`redemption\n${code}`)

export const keptCode = (secrets: SecretBox, code: string): KeptCode => ({
  key: recognised(secrets, code),
  key_sealed: secrets.seal(code),
})

/** The keys a code may be stored under: codes of earlier versions are stored in clear; the hash of a new one cannot be redeemed. */
export const keysOfCode = (secrets: SecretBox, code: string): string[] =>
  code.startsWith(prefix) ? [recognised(secrets, code)] : [recognised(secrets, code), code]

export const isKeptOpenly = ({ key, key_sealed }: KeptCode): boolean => key_sealed === '' && !key.startsWith(prefix)

/** The code in clear, for administrators. */
export const codeOf = (secrets: SecretBox, { key, key_sealed }: KeptCode): string =>
  key_sealed === '' ? key : secrets.open(key_sealed)
