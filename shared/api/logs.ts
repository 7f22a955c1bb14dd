import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { fault } from '../faults.ts'
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
const OwnLog = Log.omit({ cost: true })

const epoch = z.coerce.number().int().min(0).max(100_000_000_000).default(0)

const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** From how long on a request counts as slow, in milliseconds. */
export const slowMs = 30_000

/** Filters that can be negated: all but that. */
export const negatable = ['type', 'token_name', 'model_name', 'group', 'username', 'channel'] as const
export type Negatable = (typeof negatable)[number]

const names = negatable.join('|')

export const OwnLogFilter = z.object({
  type: z.coerce.number().int().min(0).max(5).default(0),
  token_name: z.string().trim().max(200).default(''),
  model_name: z.string().trim().max(200).default(''),
  start_timestamp: epoch,
  end_timestamp: epoch,
  group: z.string().trim().max(32).default(''),
  outcome: z.enum(outcomes).default(''),
  /** Only requests that took 30 seconds or more. */
  slow: z.enum(['true', 'false']).default('false'),
  /** What was paid by this team: its managers see all of it, members their own. */
  team_id: number.default(0),
  /** Comma list of the filters that are negated. */
  not: z
    .string()
    .regex(new RegExp(`^((${names})(,(${names}))*)?$`), fault('log.not'))
    .default(''),
})

export const LogFilter = OwnLogFilter.extend({
  username: z.string().trim().max(100).default(''),
  channel: number.default(0),
})
export type LogFilter = z.output<typeof LogFilter>

const LogStat = z.object({ quota: z.number(), token: z.number() })

/** Rows with a higher number than this one, oldest first: for following the log. */
const after = { after_id: number.optional() }
const Format = z.enum(['csv', 'jsonl']).default('csv')

/** How one request went. Channels are 0 for all but administrators. */
export const RequestDetail = z.object({
  row: Log,
  tries: z.array(
    z.object({
      channel: z.number(),
      duration_ms: z.number(),
      fault: z.object({ status: z.number(), message: z.string() }).nullable(),
    }),
  ),
  /** What was held for it at first. */
  reserve: z.number(),
  /** For administrators: the channel's share of the public price, or that the vendor said what it cost. */
  cost_by: z.union([z.number(), z.literal('reported')]).optional(),
  /** How the charge came about; null when nothing was charged. */
  charge: z.record(z.string(), z.unknown()).nullable(),
  candidates: z.array(z.object({ channel_id: z.number(), state: z.string(), reason: z.string() })),
})
export type RequestDetail = z.output<typeof RequestDetail>

/** A request that is being answered: what is known of it so far. */
export const RunningRequest = Log.pick({
  request_id: true,
  user_id: true,
  username: true,
  token_name: true,
  model_name: true,
  team_id: true,
  group: true,
  channel: true,
  prompt_tokens: true,
  is_stream: true,
  created_at: true,
  duration_ms: true,
  first_byte_ms: true,
})
export type RunningRequest = z.output<typeof RunningRequest>

/** From this many rows on a filtered log is not counted to its end. */
export const countedLogsMax = 10_000

const logPageOf = <Row extends z.ZodType>(row: Row) => pageOf(row).extend({ total_is_lower_bound: z.boolean() })

export const logsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    summary: "A page of everyone's log",
    input: PageInput.extend({ ...LogFilter.shape, ...after }),
    output: logPageOf(Log),
  }),
  running: endpoint({
    method: 'GET',
    path: '/api/log/running',
    access: 'admin',
    summary: 'Requests that this node is answering now and a filter selects, newest first, at most 20',
    input: LogFilter,
    output: z.array(RunningRequest),
  }),
  ownRunning: endpoint({
    method: 'GET',
    path: '/api/log/self/running',
    access: 'user',
    summary: 'Own requests that this node is answering now, newest first, at most 20',
    input: OwnLogFilter,
    output: z.array(RunningRequest),
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
    input: PageInput.extend({ ...OwnLogFilter.shape, ...after }),
    output: logPageOf(OwnLog),
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    summary: 'All rows a filter selects as a file, newest first: CSV, or a JSON object a line',
    input: LogFilter.extend({ format: Format }),
  }),
  ownExport: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    summary: 'All own rows a filter selects as a file, newest first: CSV, or a JSON object a line',
    input: OwnLogFilter.extend({ format: Format }),
  }),
  request: endpoint({
    method: 'GET',
    path: '/api/log/request/:request_id',
    access: 'user',
    summary: 'One request: its row, the channels tried, what was held and how the charge came about',
    input: z.object({ request_id: z.string().trim().min(1).max(100) }),
    output: RequestDetail,
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
