import type { Context } from '#server/context.ts'
import type { LongWorkTable } from '#server/db/tables.ts'
import type { JsonObject } from '#server/lib/json.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Delivery, SettledRequest } from '#server/relay/relayed-request.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { pack, unpack } from './pack.ts'

/** A part of long work with one price. It has a hold and a log row of its own. */
export interface WorkPart {
  readonly model: string
  /** The most it may cost, which is held until it ends. */
  readonly most: number
  /** What it is charged at: fixed when it begins. */
  readonly sold: NonNullable<SettledRequest['delivery']>
}

/** What is remembered of long work until it is paid. */
export interface WorkFacts<More = unknown> {
  readonly caller: Omit<Caller, 'models' | 'limits'>
  readonly parts: readonly WorkPart[]
  /** Facts its kind needs when it ends. */
  readonly more: More
}

export interface Work<More = unknown> extends LongWorkTable {
  readonly facts: WorkFacts<More>
}

/**
 * One kind of long work. Adding one is a line in `work-kinds.ts` and a call of `beginWork`: the holds, the looks and the bill come
 * with it.
 */
export interface WorkKind {
  readonly name: string
  /** The id in an answer of its vendor. */
  idOf(answer: JsonObject): string | undefined
  /** How its vendor is asked about it: a path below the version. */
  path(vendorId: string): string
  /** Whether it has ended, and how: `cut` costs what was done until then, `failed` costs nothing. */
  state(answer: JsonObject): 'running' | 'done' | 'cut' | 'failed'
  /** What each of its parts used, in their order. Throws where that cannot be known yet. */
  used(context: RelayContext, work: Work, answer: JsonObject): Promise<readonly Consumption[]>
  /** Stores what users may read of it. Of work that has ended it is called after the payment. */
  keep(context: RelayContext, work: Work, answer: JsonObject): Promise<void>
  /** Looks in the vendor's list for work whose start was not confirmed. Left out where entries cannot be distinguished. */
  find?(context: RelayContext, work: Work, isNew: (id: string) => Promise<boolean>): Promise<WorkAnswer>
}

/** The vendor's entry; `none` when there is none; `unsure` when that cannot be known yet. */
export type WorkAnswer = { readonly answer: JsonObject } | 'none' | 'unsure'

export const openWork = ({ secrets }: Pick<Context, 'secrets'>, row: LongWorkTable): Work => ({
  ...row,
  facts: unpack<WorkFacts>(secrets.open(row.facts_sealed)),
})

export const sealFacts = ({ secrets }: Pick<Context, 'secrets'>, facts: WorkFacts): string => secrets.seal(pack(facts))

export const holdIdOf = ({ id }: Pick<LongWorkTable, 'id'>, part: number): string => (part === 0 ? id : `${id}.${part}`)

/** The channel as far as a bill needs it, without its key. */
export const soldThrough = (
  { id, type, mapping, costRatio }: Delivery['channel'],
  tariff: Omit<NonNullable<SettledRequest['delivery']>, 'channel' | 'leftOut' | 'readToEnd'>,
): WorkPart['sold'] => ({
  ...tariff,
  channel: { id, type, mapping, costRatio },
  leftOut: [],
  readToEnd: false,
})
