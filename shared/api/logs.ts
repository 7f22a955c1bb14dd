import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'

/** How a relayed request ended. Empty on rows that are not requests. */
export const outcomes = ['', 'done', 'cut', 'failed'] as const

export const Log = z.object({
  id: z.number(),
  user_id: z.number(),
  created_at: z.number(),
  type: z.number(),
  channel: z.number(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  quota: z.number(),
  content: z.string(),
  request_id: z.string(),
  duration_ms: z.number(),
  first_byte_ms: z.number(),
  is_stream: z.boolean(),
  outcome: z.enum(outcomes),
  /** Ids of the channels tried, in order. */
  tried: z.array(z.number()),
  /** How the charge was computed; JSON that the console prints. */
  detail: z.record(z.string(), z.unknown()),
  token_id: z.number(),
  /** The team that paid; 0 when the user did. */
  team_id: z.number(),
  /** The user group whose ratio was charged. */
  group: z.string(),
  cached_tokens: z.number(),
  /** What the request cost the operator, in quota; null when nobody knows. For administrators only. */
  cost: z.number().nullable().optional(),
})
export type Log = z.output<typeof Log>

/** What of a row its user may see. */
export const OwnLog = Log.omit({ cost: true })

const epoch = z.coerce.number().int().min(0).max(100_000_000_000).default(0)

export const OwnLogFilter = z.object({
  type: z.coerce.number().int().min(0).max(4).default(0),
  token_name: z.string().trim().max(200).default(''),
  model_name: z.string().trim().max(200).default(''),
  start_timestamp: epoch,
  end_timestamp: epoch,
})

export const LogFilter = OwnLogFilter.extend({
  username: z.string().trim().max(100).default(''),
  channel: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
})
export type LogFilter = z.output<typeof LogFilter>

export const LogStat = z.object({ quota: z.number(), token: z.number() })

export const logsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    summary: "A page of everyone's log",
    input: PageInput.extend(LogFilter.shape),
    output: pageOf(Log),
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    summary: 'Consumed quota and tokens of the rows a filter selects',
    input: LogFilter,
    output: LogStat,
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    summary: 'A page of the own log',
    input: PageInput.extend(OwnLogFilter.shape),
    output: pageOf(OwnLog),
  }),
  ownStat: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    summary: 'Own consumed quota and tokens',
    input: OwnLogFilter,
    output: LogStat,
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    summary: 'Delete log rows older than a time; answers how many',
    input: z.object({ target_timestamp: epoch }),
    output: z.number(),
  }),
}
