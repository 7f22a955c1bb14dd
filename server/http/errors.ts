import type { Context } from '#server/context.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import { AppError, errorStatus } from '#shared/errors.ts'

/** Any error as the refusal a client may see; unexpected ones are logged and shown as a plain 500 or 503. */
export function toAppError(error: unknown, { log, reportGone }: Context, where: string): AppError {
  if (error instanceof AppError) {
    if (errorStatus(error.code) >= 500) log.error(error.message, { where, cause: error.cause })
    return error
  }
  if (isDatabaseGone(error)) {
    reportGone(error, { where })
    return new AppError('server.unavailable', {}, { cause: error })
  }
  log.error('unexpected error', { where, cause: error })
  return new AppError('server.error', {}, { cause: error })
}

/** Answers are not cached, and browsers do not guess their type. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export const failureResponse = (error: AppError): Response =>
  Response.json(
    { success: false, message: error.message, code: error.code, params: error.params, ...error.data },
    {
      status: errorStatus(error.code),
      headers: errorStatus(error.code) === 503 ? { ...answerHeaders, 'retry-after': '2' } : answerHeaders,
    },
  )
