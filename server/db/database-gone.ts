import type { Logger } from '#server/lib/log.ts'

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
  // What PgBouncer says when it has no server, or lost it.
  '08P01',
  // The server has ended the transaction of a node that stood still, or its session.
  '25P02',
  '25P03',
  '57P05',
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
  /timeout (exceeded when trying to connect|expired)|Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|Cannot use a (closed database|pool after)|database (connection )?(is|has) closed/i

/** True when the database cannot be reached or cannot work, as opposed to refusing what was asked of it. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (goneCodes.has(code) || sqliteGone.test(code)) return true
  if (goneMessage.test(error.message)) return true
  return isDatabaseGone(error.cause)
}

/** Logs that the database cannot be used, and what met it. */
export type ReportGone = (cause: unknown, met: Readonly<Record<string, string>>) => void

const everyMs = 5000

/** One line at once, then one every few seconds with the number of requests in between: a line each could fill up the disk. */
export function createGoneReport(log: Pick<Logger, 'error' | 'debug'>, now = () => performance.now()): ReportGone {
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return (cause, met) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (now() - loggedAt < everyMs) {
      unlogged += 1
      log.debug('the database cannot be used', { ...met, reason })
      return
    }
    log.error('the database cannot be used', { ...met, reason, ...(unlogged > 0 ? { others: unlogged } : {}) })
    loggedAt = now()
    unlogged = 0
  }
}
