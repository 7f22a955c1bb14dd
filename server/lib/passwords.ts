import { createSlots } from './slots.ts'

/** One hash takes 64 MB and a core for a while: a burst of logins must not take all of them. */
const inSlot = createSlots(4)

/** Verified in place of a missing hash, so that an unknown name costs as much time as a wrong password. */
const decoy =
  '$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const hashPassword = (plain: string): Promise<string> => inSlot(() => Bun.password.hash(plain))

export type PasswordCheck = (plain: string, hash: string) => Promise<boolean>

const check: PasswordCheck = async (plain, hash) => {
  const known = hash.startsWith('$')
  const matches = await Bun.password.verify(plain, known ? hash : decoy).catch(() => false)
  return known && matches
}

/** Lends a slot for checking passwords. What must be true while a password is checked is asked inside it. */
export const checkingPassword = <Result>(work: (check: PasswordCheck) => Promise<Result>): Promise<Result> =>
  inSlot(() => work(check))

/** True for hashes of an older kind, as imported databases have them. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith('$argon2id$')
