import type { Context } from '#server/context.ts'
import type { RelayMetrics } from '#server/telemetry/relay-metrics.ts'
import type { Tracer } from '#server/telemetry/tracer.ts'
import { createBudgetReminder } from './budget-reminder.ts'
import { logRequests } from './log-requests.ts'
import type { RelayObserver } from './observer.ts'
import { createQuotaReminder } from './quota-reminder.ts'
import { endTrace } from './trace-requests.ts'

/** All observers of settled requests. Adding one is one line. */
export const createObservers = (
  ctx: Context,
  { tracer, metrics }: { readonly tracer: Tracer | null; readonly metrics: RelayMetrics | null },
): readonly RelayObserver[] => [
  createQuotaReminder(ctx),
  createBudgetReminder(ctx),
  ...(tracer ? [endTrace] : []),
  ...(metrics ? [metrics.observe] : []),
  ...(ctx.config.LOG_LEVEL === 'debug' ? [logRequests(ctx.log)] : []),
]
