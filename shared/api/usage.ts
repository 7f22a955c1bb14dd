import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'

/** A payer is the team whose wallet paid, else the user. */
export const usageKeys = ['none', 'model', 'token', 'user', 'channel', 'group', 'team', 'payer'] as const
export type UsageBy = (typeof usageKeys)[number]

export const usageSteps = ['half_hour', 'hour', 'quarter_day', 'day', 'week', 'month'] as const
export type UsageStep = (typeof usageSteps)[number]

/** What is added up over requests; money is quota. */
const sums = {
  /** All of them, failed ones included. */
  requests: z.number(),
  failed: z.number(),
  prompt_tokens: z.number(),
  cached_tokens: z.number(),
  completion_tokens: z.number(),
  quota: z.number(),
}

/** For administrators only. */
const profits = {
  cost: z.number().optional(),
  /** Requests whose cost nobody knows. */
  cost_unknown: z.number().optional(),
  profit: z.number().optional(),
  /** Profit as a share of what was charged; null when nothing was. */
  margin: z.number().nullable().optional(),
}

/** Milliseconds; null when there was no request to measure. */
const times = {
  first_byte_p50_ms: z.number().nullable(),
  first_byte_p95_ms: z.number().nullable(),
  duration_p50_ms: z.number().nullable(),
  duration_p95_ms: z.number().nullable(),
}

export const UsageTotals = z.object({ ...sums, ...profits })
export type UsageTotals = z.output<typeof UsageTotals>

const usageOrders = [...Object.keys(sums), 'cost', 'profit', 'margin'] as const

const moment = z.coerce.number().int().min(0).max(100_000_000_000)
const list = z.string().max(10_000).default('')

/** Comma lists; `!` leaves out, and a backslash takes a comma or `!` as part of a name. */
export const UsageFilters = z.object({
  model_name: list,
  token_name: list,
  username: list,
  channel: list,
  group: list,
  /** By id; 0 is what users paid themselves. */
  team: list,
})

/** A name, or a difference from UTC in the quarter hours that usage is kept by. */
const zoneWritten = /^([A-Za-z]|[+-]\d\d(:?(00|15|30|45))?$)/

const zoneKnown = (zone: string): boolean => {
  try {
    return zoneWritten.test(zone) && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const UsageInput = UsageFilters.extend({
  /** `self`, `all` for administrators, `team:<id>` for its managers. */
  scope: z
    .string()
    .regex(/^(self|all|team:[1-9]\d{0,14})$/, fault('usage.scope'))
    .default('self'),
  /** Thirty days before the end unless given. */
  from: moment.optional(),
  /** Exclusive; now unless given. */
  to: moment.optional(),
  /** The zone whose days and months count; that of the system unless given. */
  time_zone: z.string().max(60).refine(zoneKnown, fault('usage.zone')).optional(),
})

const By = z.enum(usageKeys).default('none')
const Order = z
  .string()
  .regex(new RegExp(`^(${usageOrders.join('|')})$`), fault('usage.order'))
  .default('quota')

/** How long first bytes took, by bucket and in the whole period; null where there was no request to measure. */
export const FirstByteSeries = z.object({
  p50_ms: z.array(z.number().nullable()),
  p95_ms: z.array(z.number().nullable()),
  period_p50_ms: z.number().nullable(),
  period_p95_ms: z.number().nullable(),
})
export type FirstByteSeries = z.output<typeof FirstByteSeries>

export const UsageSeries = z.object({
  key: z.string(),
  label: z.string(),
  values: z.record(z.string(), z.array(z.number())),
  first_byte: FirstByteSeries.optional(),
  /** By channel: the attempts on it, those included that another channel rescued. */
  attempts: z.object({ made: z.array(z.number()), failed: z.array(z.number()) }).optional(),
})
export type UsageSeries = z.output<typeof UsageSeries>

export const UsageRow = z.object({
  key: z.string(),
  label: z.string(),
  ...sums,
  ...profits,
  ...times,
  error_share: z.number(),
  cached_share: z.number(),
})
export type UsageRow = z.output<typeof UsageRow>

const Forecast = z.object({ quota: z.number(), low: z.number(), high: z.number() })

export const UsageSummary = z.object({
  totals: UsageTotals,
  /** The same of the period before. */
  before: UsageTotals,
  /** What the month that runs will come to; null under seven days of use. */
  forecast: Forecast.nullable(),
  error_share: z.number(),
  cached_share: z.number(),
  ...times,
})
export type UsageSummary = z.output<typeof UsageSummary>

export const Statement = z.object({
  month: z.string(),
  from: z.number(),
  to: z.number(),
  /** The balance when the month began and when it ended, or is now. */
  opening: z.number(),
  topups: z.number(),
  grants: z.number(),
  transfers: z.number(),
  charges: z.array(z.object({ model: z.string(), token: z.string(), quota: z.number() })),
  closing: z.number(),
})
export type Statement = z.output<typeof Statement>

/** Somebody was warned that most of a budget is used. */
export const BudgetWarning = z.object({ kind: z.enum(['user', 'team', 'token']), id: z.number(), at: z.number() })
export type BudgetWarning = z.output<typeof BudgetWarning>

export const usageApi = {
  warnings: endpoint({
    method: 'GET',
    path: '/api/usage/warnings',
    access: 'user',
    summary:
      'When somebody was warned of budgets that run out: of the own wallet or that of a team, and of their tokens',
    input: z.object({
      scope: z
        .string()
        .regex(/^(self|team:[1-9]\d{0,14})$/, fault('usage.scope_warnings'))
        .default('self'),
    }),
    output: z.array(BudgetWarning),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/usage/summary',
    access: 'user',
    summary: 'Totals of a period, those of the period before, shares and percentiles',
    input: UsageInput.extend({ compare_from: moment.optional() }),
    output: UsageSummary,
  }),
  series: endpoint({
    method: 'GET',
    path: '/api/usage/series',
    access: 'user',
    summary: 'Usage over time, for the largest of a kind and the rest',
    input: UsageInput.extend({
      step: z.enum(usageSteps).default('day'),
      by: By,
      top: z.coerce.number().int().min(1).max(50).default(7),
      order: Order,
      /** Whether percentiles of the first byte are answered too: of each series and, beside them, of all together. */
      first_byte: z.enum(['true', 'false']).default('false'),
    }),
    output: z.object({
      buckets: z.array(z.number()),
      series: z.array(UsageSeries),
      first_byte: FirstByteSeries.optional(),
    }),
  }),
  table: endpoint({
    method: 'GET',
    path: '/api/usage/table',
    access: 'user',
    summary: 'A page of usage by model, token, user, channel, group, team, or user or team that paid',
    input: UsageInput.extend({ by: By, order: Order, ...PageInput.shape }),
    output: pageOf(UsageRow),
  }),
  statement: endpoint({
    method: 'GET',
    path: '/api/usage/statement',
    access: 'user',
    summary: 'Balance, what came in and what was charged in a month; as a CSV file with format=csv',
    input: z.object({
      scope: UsageInput.shape.scope,
      /** The month that runs unless given. */
      month: z
        .string()
        .regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, fault('usage.month'))
        .optional(),
      format: z.enum(['json', 'csv']).default('json'),
    }),
    output: Statement,
  }),
}
