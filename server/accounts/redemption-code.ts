import type { SecretBox } from '#server/lib/secret-box.ts'

/** What is kept of a redemption code: enough to recognise it, and the code itself sealed, for who made it. */
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

/** Under which keys a code may stand: codes of before stand as they are. What is kept of a new one opens nothing itself. */
export const keysOfCode = (secrets: SecretBox, code: string): string[] =>
  code.startsWith(prefix) ? [recognised(secrets, code)] : [recognised(secrets, code), code]

export const isKeptOpenly = ({ key, key_sealed }: KeptCode): boolean => key_sealed === '' && !key.startsWith(prefix)

/** The code as it was given out. */
export const codeOf = (secrets: SecretBox, { key, key_sealed }: KeptCode): string =>
  key_sealed === '' ? key : secrets.open(key_sealed)
