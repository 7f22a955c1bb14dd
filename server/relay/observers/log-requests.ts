import type { Logger } from '#server/lib/log.ts'
import type { RelayObserver } from './observer.ts'

/** A line for every request that has come to its end. */
export const logRequests =
  (log: Logger): RelayObserver =>
  ({ request, outcome, result, durationMs }) =>
    log.debug('relayed', {
      request: request.id,
      user: request.caller.userId,
      model: request.ask.model,
      channels: request.tried.join(','),
      outcome,
      quota: result.paid,
      ms: Math.round(durationMs),
    })
