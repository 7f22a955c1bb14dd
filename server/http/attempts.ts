import { AppError } from '#shared/errors.ts'
import type { Call } from './call.ts'
import { networkOf } from './client-address.ts'

type Attempt = Pick<Call<unknown>, 'ctx' | 'limiter' | 'clientAddress'>

/** The account as the client names it, whether it exists or not; stored as a hash. */
const keys = ({ ctx, clientAddress }: Attempt, account: string): string[] => {
  const address = `address:${networkOf(clientAddress)}`
  return account === '' ? [address] : [address, `account:${ctx.secrets.hash(account.toLowerCase())}`]
}

/**
 * Refuses when this client, or anyone on this account, has recently failed too often. Counts nothing. With `trusted`, as for an
 * address from which the account was used before, only this client's own failures count.
 */
export async function refuseExhausted(attempt: Attempt, account = '', trusted = false): Promise<void> {
  for (const key of keys(attempt, trusted ? '' : account)) {
    if (!(await attempt.limiter.within('critical', key))) throw new AppError('request.too_many')
  }
}

/** Counts a failed login or code. */
export async function countFailure(attempt: Attempt, account = ''): Promise<void> {
  for (const key of keys(attempt, account)) await attempt.limiter.allow('critical', key)
}

/**
 * Checks something short enough to be guessed. It counts as failed until it has succeeded, so that parallel guesses are no
 * more than sequential ones.
 */
export async function countingGuess<Result>(
  attempt: Attempt,
  { account, trusted, isWrong = () => true }: Guess,
  check: () => Promise<Result>,
): Promise<Result> {
  await refuseExhausted(attempt, account, trusted)
  await countTry(attempt, account, trusted)
  const forgive = async () => {
    for (const key of keys(attempt, account)) await attempt.limiter.forgive('critical', key)
  }
  try {
    const result = await check()
    await forgive()
    return result
  } catch (error) {
    if (!isWrong(error)) await forgive()
    throw error
  }
}

interface Guess {
  readonly account: string
  readonly trusted: boolean
  /** Whether it failed because it was wrong; absent: every failure is one. */
  readonly isWrong?: (error: unknown) => boolean
}

/** Counts what is about to be tried; of many at once those beyond the limit are refused. */
async function countTry(attempt: Attempt, account: string, trusted = false): Promise<void> {
  const decisive = keys(attempt, trusted ? '' : account)
  for (const key of keys(attempt, account)) {
    const isWithin = await attempt.limiter.allow('critical', key)
    if (!isWithin && decisive.includes(key)) throw new AppError('request.too_many')
  }
}

/** Makes an account, if not too many were made from this address; an attempt that makes none is not counted. */
export async function countingRegistration<Result>(attempt: Attempt, create: () => Promise<Result>): Promise<Result> {
  const client = networkOf(attempt.clientAddress)
  if (!(await attempt.limiter.allow('register', client))) throw new AppError('request.too_many')
  try {
    return await create()
  } catch (error) {
    await attempt.limiter.forgive('register', client)
    throw error
  }
}

/** Counts a mail about to be sent, against the client and against the address it goes to. */
export async function countMail(attempt: Attempt, email: string): Promise<void> {
  await refuseExhausted(attempt, email)
  await countTry(attempt, email)
}
