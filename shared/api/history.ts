import { z } from 'zod'
import { endpoint, Id } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'

export const historyKinds = [
  'channel',
  'option',
  'user',
  'token',
  'redemption',
  'team',
  'price',
  'log',
  'config',
] as const
export type HistoryKind = (typeof historyKinds)[number]

/** What stands in place of a secret. */
export const secretShown = 'changed'

/** How long what was deleted can be brought back, and old secrets are kept. */
export const historySecretDays = 30

/** One thing gives its fields; several give theirs by their target. */
const Fields = z.record(z.string(), z.unknown()).nullable()

export const HistoryEntry = z.object({
  id: z.number(),
  time: z.number(),
  /** '' when the account was deleted. */
  actor: z.string(),
  actor_id: z.number(),
  address: z.string(),
  kind: z.enum(historyKinds),
  /** An id, the key of an option or the name of a model; several are separated by commas. */
  target: z.string(),
  /** What the target is called. */
  name: z.string(),
  /** How many things the entry changed. */
  count: z.number(),
  before: Fields,
  after: Fields,
  undoable: z.boolean(),
  /** '' when it can be undone. */
  why_not: z.string(),
  /** The code of `why_not`, for the reader's language. */
  why_not_code: z.string(),
  why_not_params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The entry that undid this one. */
  undone_by: z.number().nullable(),
  undone_time: z.number().nullable(),
  undone_actor: z.string(),
  /** The entry this one undoes. */
  undoes: z.number().nullable(),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

const Time = z.coerce.number().int().min(0).max(200_000_000_000).optional()

export const historyApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/history/',
    access: 'admin',
    summary: 'A page of the history, newest first',
    input: PageInput.extend({
      /** An id or a username. */
      actor: z.string().trim().max(100).default(''),
      kind: z.enum(historyKinds).optional(),
      /** An id, a key or a name. */
      target: z.string().trim().max(200).default(''),
      from: Time,
      /** Exclusive. */
      to: Time,
    }),
    output: pageOf(HistoryEntry).extend({
      /** Everyone who has made an entry, by name. */
      actors: z.array(z.string()),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/history/:id',
    access: 'admin',
    summary: 'One entry of the history',
    input: z.object({ id: Id }),
    output: HistoryEntry,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/history/:id/undo',
    access: 'admin',
    summary: 'Put back what an entry changed; answers the new entry',
    input: z.object({ id: Id }),
    output: HistoryEntry,
  }),
}
