import type { Db, Tx } from '#server/db/database.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'

/** Set once the accounts of earlier versions are recorded too. */
export const oldGiftsRemembered = 'gifts_remembered'

type Hash = Pick<SecretBox, 'hash'>

/** Identities of a person outside of this database: verified addresses, and accounts at other services. */
export interface Identities {
  readonly email?: string
  readonly githubId?: string
  readonly wechatId?: string
  /** Of other services, as `oidc:<issuer>:<subject>`. */
  readonly others?: readonly string[]
}

const namesOf = ({ email, githubId, wechatId, others = [] }: Identities): string[] => [
  ...(email ? [`email:${email.toLowerCase()}`] : []),
  ...(githubId ? [`github:${githubId}`] : []),
  ...(wechatId ? [`wechat:${wechatId}`] : []),
  ...others,
]

/**
 * Records that an account with these identities had its gifts. Returns whether none of them was known: then gifts are due.
 * An account without any identity always gets them.
 */
export async function rememberGifts(db: Db | Tx, { hash }: Hash, identities: Identities, at: number): Promise<boolean> {
  const names = namesOf(identities)
  if (names.length === 0) return true
  const written = await db
    .insertInto('gifts_given')
    .values(names.map((name) => ({ identity_hash: hash(`gift\n${name}`), given_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('identity_hash')
    .execute()
  return written.length === names.length
}
