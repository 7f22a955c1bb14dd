import { z } from 'zod'
import { endpoint, Id } from '../contract.ts'
import { fault } from '../faults.ts'
import { ChannelChange } from './channels.ts'

const Candidate = z.object({
  channel_id: z.number(),
  name: z.string(),
  type: z.number(),
  /** Asked first, asked when those fail, or not asked. */
  state: z.enum(['first', 'reserve', 'out']),
  reason: z.string(),
  priority: z.number(),
  weight: z.number(),
  /** Adds up to 1 over those that are first; 0 for the others. */
  probability: z.number(),
  /** Epoch seconds, 0 when it does not rest. */
  resting_until: z.number(),
  /** Of the last hour; null without requests. */
  first_byte_p50_ms: z.number().nullable(),
  error_share: z.number().nullable(),
  /** What the operator pays for a million input tokens there; null when nobody knows. */
  cost_usd: z.number().nullable(),
  /** The same for output tokens. */
  cost_output_usd: z.number().nullable(),
  /** Which of OpenAI's APIs a client of another format reaches there, and why; null where there is nothing to choose. */
  api: z.enum(['chat', 'responses']).nullable(),
  api_reason: z.string(),
})
export type RouteCandidate = z.output<typeof Candidate>

/** What a request may need of a model; every channel streams and passes tools on, so none of it chooses a channel. */
export const routeNeeds = ['tools', 'image', 'audio', 'video', 'pdf', 'reasoning', 'json'] as const

const Explained = z.object({
  price: z.object({ unit: z.string(), input_usd: z.number().nullable(), output_usd: z.number().nullable() }).nullable(),
  candidates: z.array(Candidate),
  /** Models asked in its place when no channel is left, in order. */
  fallbacks: z.array(z.string()),
  strategy: z.enum(['weight', 'cost', 'latency']),
  /** The groups whose channels were looked at. */
  groups: z.array(z.string()),
  /** What prices are multiplied by for the cheapest of them. */
  group_ratio: z.number(),
  /** What is needed and the model is not known to do; empty where nobody knows the model. */
  lacking: z.array(z.enum(routeNeeds)),
  /** The longest input of the model where the prompt is longer; null otherwise. */
  context_exceeded: z.number().nullable(),
  /** What so long a prompt costs the caller, as quota, without its answer; null where it is not given or not sold by tokens. */
  prompt_quota: z.number().nullable(),
  /** Channels that do not carry the model at all. */
  not_carrying: z.number(),
})
export type ExplainedRoute = z.output<typeof Explained>

const ChannelDraftChange = ChannelChange.pick({
  id: true,
  priority: true,
  weight: true,
  group: true,
  models: true,
  cost_ratio: true,
})
  .extend({ status: z.number().int().min(1, fault('status.one_or_two')).max(2, fault('status.one_or_two')).optional() })
  .strict()

const Usd = z.number().min(0).max(1_000_000)

const draft = {
  channels: z
    .array(ChannelDraftChange)
    .max(1000)
    .refine((changes) => new Set(changes.map(({ id }) => id)).size === changes.length, fault('routing.twice'))
    .default([]),
  prices: z
    .record(z.string().min(1).max(200), z.strictObject({ input_usd: Usd, output_usd: Usd.optional() }))
    .optional(),
}

const Time = z.number().int().min(0).max(100_000_000_000)

const Figures = z.object({ requests: z.number(), quota: z.number(), cost: z.number(), profit: z.number() })
export type RouteFigures = z.output<typeof Figures>

/** By the rules as they are, and as they would be. */
// biome-ignore lint/suspicious/noThenProperty: what would be, beside what is
const Compared = z.object({ now: Figures, then: Figures })

// biome-ignore lint/suspicious/noThenProperty: what would be, beside what is
const ComparedNumber = z.object({ now: z.number(), then: z.number() })
// biome-ignore lint/suspicious/noThenProperty: what would be, beside what is
const ComparedKnown = z.object({ now: z.number().nullable(), then: z.number().nullable() })

const Simulated = z.object({
  channels: z.array(
    Compared.extend({
      channel_id: z.number(),
      name: z.string(),
      /** Requests a minute in the busiest stretch of time, a quarter of an hour or an hour. */
      peak: ComparedNumber,
      /** What it allows a minute; 0: no limit. */
      rpm: z.number(),
      /** Minutes at that limit with the draft, as expected of requests that come by themselves; null where hardly any. */
      full: z
        .object({
          minutes: z.number(),
          /** The run with the most of them; epoch seconds. */
          worst: z.object({ from: z.number(), to: z.number(), minutes: z.number() }),
          /** Names of the channels asked in its place. */
          instead: z.array(z.string()),
        })
        .nullable(),
    }),
  ),
  total: Compared,
  /** The share of requests expected to fail, channels failing as often as they did; null when nobody knows. */
  failed: ComparedKnown,
  /** The expected median to the first byte, channels answering as fast as they did. */
  first_byte_ms: ComparedKnown,
  /** Requests nobody would answer any more. */
  unserved: z.array(z.object({ model: z.string(), group: z.string(), requests: z.number() })),
})
export type SimulatedRouting = z.output<typeof Simulated>

const Resting = z.object({
  channel_id: z.number(),
  /** Epoch seconds. */
  resting_until: z.number(),
})

const Troubles = z.object({
  channel_id: z.number(),
  /** Quarter hours by their beginning: those in which the vendor limited the rate, and those with a rest. */
  limited: z.array(z.number()),
  rested: z.array(z.number()),
})

export const routingApi = {
  troubles: endpoint({
    method: 'GET',
    path: '/api/routing/troubles',
    access: 'admin',
    summary: 'Quarter hours since a time in which channels were rate-limited or rested, of the last eight days at most',
    input: z.object({ from: z.coerce.number().int().min(0).max(100_000_000_000) }),
    output: z.array(Troubles),
  }),
  resting: endpoint({
    method: 'GET',
    path: '/api/routing/resting',
    access: 'admin',
    summary: 'Channels that rest now after failures, and until when',
    output: z.array(Resting),
  }),
  explain: endpoint({
    method: 'POST',
    path: '/api/routing/explain',
    access: 'admin',
    summary: 'Which channels a request for a model would take now, and why',
    input: z.object({
      model: z.string().trim().min(1, fault('price.model')).max(200),
      user_id: Id.optional(),
      token_id: Id.optional(),
      group: z.string().trim().min(1).max(32).optional(),
      /** Long inputs cost more with some models, and do not fit into others. */
      prompt_tokens: z.number().int().min(1).max(100_000_000).optional(),
      needs: z.array(z.enum(routeNeeds)).max(routeNeeds.length).optional(),
      /** The client's own; with tools it decides which API is asked. */
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
    }),
    output: Explained,
  }),
  simulate: endpoint({
    method: 'POST',
    path: '/api/routing/simulate',
    access: 'admin',
    summary: 'What changed channels and prices would have meant for the traffic of a time',
    input: z.object({ from: Time, to: Time, ...draft }),
    output: Simulated,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/routing/apply',
    access: 'admin',
    summary: 'Make a draft of channels and prices so, in one step; answers how many things changed',
    input: z.object({ from: Time.optional(), to: Time.optional(), ...draft }),
    output: z.number(),
  }),
}
