import { createSlots } from './slots.ts'

/** One hash takes 64 MB and a core for a while: a burst of logins must not take all of them. */
const inSlot = createSlots(4)

/** Setting passwords has slots of its own, so that it keeps no login waiting. */
const inHashSlot = createSlots(1)

let cost = { memoryCost: 65_536, timeCost: 2 }

/** For tests, which hash many passwords and rely on none. */
export function allowCheapHashes(): void {
  cost = { memoryCost: 8, timeCost: 1 }
}

/** Verified in place of a missing hash, so that an unknown name costs as much time as a wrong password. */
const decoy = (): string => {
  const nothing = 'A'.repeat(43)
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$${nothing}$${nothing}`
}

const hashed = (plain: string): Promise<string> => Bun.password.hash(plain, { algorithm: 'argon2id', ...cost })

export const hashPassword = (plain: string): Promise<string> => inHashSlot(() => hashed(plain))

/** The same as a part of a login, which waits for other logins alone. */
export const hashAtLogin = (plain: string): Promise<string> => inSlot(() => hashed(plain))

type PasswordCheck = (plain: string, hash: string) => Promise<boolean>

const check: PasswordCheck = async (plain, hash) => {
  const known = hash.startsWith('$')
  const matches = await Bun.password.verify(plain, known ? hash : decoy()).catch(() => false)
  return known && matches
}

/** Runs work in a slot for checking passwords. Limits are checked inside it, so that they hold at that moment. */
export const checkingPassword = <Result>(work: (check: PasswordCheck) => Promise<Result>): Promise<Result> =>
  inSlot(() => work(check))

/** True for hashes of an older kind, as imported databases have them. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith('$argon2id$')
