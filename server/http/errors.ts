import type { Logger } from '#server/lib/log.ts'
import { AppError, errorStatus } from '#shared/errors.ts'

const goneCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08003',
  '08001',
  // Full disk, read-only, out of memory, I/O error, cancelled, deadlock.
  '53100',
  '25006',
  '53200',
  '58030',
  '57014',
  '40P01',
])

/** SQLite adds what failed: SQLITE_IOERR_WRITE, SQLITE_BUSY_SNAPSHOT. */
const sqliteGone = /^SQLITE_(IOERR|FULL|BUSY|CANTOPEN|READONLY)/

const goneMessage =
  /timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|Cannot use a (closed database|pool after)|database (connection )?(is|has) closed/i

/** True when the database cannot be reached or cannot work, as opposed to refusing what was asked of it. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (goneCodes.has(code) || sqliteGone.test(code)) return true
  if (goneMessage.test(error.message)) return true
  return isDatabaseGone(error.cause)
}

/** Any error as the refusal a client may see; what is not ours is logged and shown as a plain 500 or 503. */
export function toAppError(error: unknown, log: Logger, where: string): AppError {
  if (error instanceof AppError) {
    if (errorStatus(error.code) >= 500) log.error(error.message, { where, cause: error.cause })
    return error
  }
  if (isDatabaseGone(error)) {
    log.error('the database cannot be reached', { where, cause: error })
    return new AppError('server.unavailable', {}, { cause: error })
  }
  log.error('unexpected error', { where, cause: error })
  return new AppError('server.error', {}, { cause: error })
}

/** Answers are nobody's to keep, and never anything but what their type says. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export const failureResponse = (error: AppError): Response =>
  Response.json(
    { success: false, message: error.message, code: error.code, ...error.data },
    { status: errorStatus(error.code), headers: answerHeaders },
  )
