import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const database = 'It must be an SQLite database that this user may write, in a folder this user may write to'

/** Says which file or folder it is, why it cannot be used and what to do: the words of the system and of SQLite do not. */
export function unusable(path: string, cause: unknown, wanted = database): Error {
  const said = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const [reason, remedy] = obstacle(resolve(path), code) ?? [said, wanted]
  return new Error(`${path} cannot be used: ${reason}. ${remedy}.`, { cause })
}

type Obstacle = readonly [reason: string, remedy: string]

const elsewhere = 'or set DATA_DIR to another folder'

function obstacle(path: string, code: string): Obstacle | undefined {
  if (['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(code))
    return [`there is no room on the disk of ${path}`, `Make room there, ${elsewhere}`]
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return ['a file stands where a folder should', `Move it away, ${elsewhere}`]
  const refused = code === 'EROFS' ? { place: path, code } : refusedPlace(path)
  if (!refused) return undefined
  const { place } = refused
  if (refused.code === 'EROFS') return [`${place} is mounted read-only`, `Mount it for writing, ${elsewhere}`]
  const user = process.getuid ? `this user (${process.getuid()})` : 'this user'
  return [`${user} may not read and write ${place}`, `Give this user the right to, ${elsewhere}`]
}

/** What this user has no right to: the file itself, its folder, or the nearest one above that exists. */
function refusedPlace(path: string): { readonly place: string; readonly code: unknown } | undefined {
  for (let place = path; ; place = dirname(place)) {
    if (existsSync(place)) {
      try {
        accessSync(place, constants.R_OK | constants.W_OK)
      } catch (error) {
        return { place, code: error instanceof Error && 'code' in error && error.code }
      }
      if (place !== path) return undefined
    }
    if (place === dirname(place)) return undefined
  }
}

/** What uses a file or folder that is to hold data; where it cannot, the operator learns why. */
export function using<Result>(path: string, use: () => Result, wanted = database): Result {
  try {
    return use()
  } catch (error) {
    throw unusable(path, error, wanted)
  }
}

export const makeFolder = (folder: string): void =>
  using(folder, () => void mkdirSync(folder, { recursive: true }), 'It must be a folder that this user may write to')

const unwritten = /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR)/

/** The first that is written to a database whose file lies in a folder. */
export async function written<Result>(folder: string | null, first: Promise<Result>): Promise<Result> {
  try {
    return await first
  } catch (error) {
    const isPlace = error instanceof Error && 'code' in error && unwritten.test(String(error.code))
    throw isPlace && folder !== null ? unusable(folder, error) : error
  }
}

/** No connection, no such account, wrong password, no such database. */
const unreachableCodes = /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|28|3D|53300)/

const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && unreachableCodes.test(String(error.code))

/** The driver's words name neither the variable nor what to do. */
const unreachable = (cause: Error, variable: string): Error =>
  new Error(
    `PostgreSQL cannot be used: ${cause.message}. Check the address in ${variable}, and that the server there runs and takes this account.`,
    { cause },
  )

/** The first that is asked of a database, at the address in a variable. */
export async function reached<Result>(first: Promise<Result>, variable = 'DATABASE_URL'): Promise<Result> {
  try {
    return await first
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error, variable) : error
  }
}
