import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { HistoryKind } from '#shared/api/history.ts'
import { changesOf, type Fields, type Item, partOf, storeItem } from './item.ts'

/** Who makes a change: an actor of a console call, or one of those below. */
export interface ChangeAuthor {
  readonly id: number
  readonly username: string
  readonly address: string
}

/** Changes Switchyard makes by itself. */
export const theSystem: ChangeAuthor = { id: 0, username: 'Switchyard', address: '' }

/** An operator at the command line. */
export const theCommandLine: ChangeAuthor = { id: 0, username: 'command line', address: '' }

/** Why an entry can never be undone. */
export type Finality = 'money' | 'log' | 'account' | 'member' | 'second_factor' | 'password'

export interface ChangedThing<Row extends object> {
  readonly id: number | string
  readonly name: string
  /** The whole row as it was; null when the thing is new. */
  readonly before: Row | null
  /** The whole row as it is now; null when the thing is gone. */
  readonly after: Row | null
}

/** Things of one kind that one person changed in one step. */
export interface ChangeOfKind<Row extends object> {
  readonly kind: HistoryKind
  readonly things: readonly ChangedThing<Row>[]
  readonly final?: Finality
}

export interface HistoryChange {
  readonly kind: HistoryKind
  readonly items: readonly Item[]
  readonly final?: Finality
  readonly undoes?: number
}

const itemsPerInsert = 500

/**
 * Writes an entry of the history in the transaction that makes the change. Returns its number, 0 when nothing changed.
 * Takes whole rows: differences are computed here, and `kinds.ts` names the secret and the counting columns. What can never be put
 * back is an entry before it.
 */
export async function recordItems(
  ctx: Pick<Context, 'secrets' | 'clock'>,
  tx: Tx,
  doer: ChangeAuthor,
  change: HistoryChange,
): Promise<number> {
  if (change.final) return insertEntry(ctx, tx, doer, change)
  const part = (isReversible: boolean) => change.items.flatMap((item) => partOf(item, isReversible) ?? [])
  await insertEntry(ctx, tx, doer, { kind: change.kind, items: part(false), final: 'password' })
  return insertEntry(ctx, tx, doer, { ...change, items: part(true) })
}

async function insertEntry(
  ctx: Pick<Context, 'secrets' | 'clock'>,
  tx: Tx,
  doer: ChangeAuthor,
  { kind, items, final, undoes = 0 }: HistoryChange,
): Promise<number> {
  const changed = items.flatMap((item) => changesOf(item, final !== undefined) ?? [])
  if (changed.length === 0) return 0
  const { id } = await tx
    .insertInto('history')
    .values({
      created_at: epochSeconds(ctx),
      actor_id: doer.id,
      actor: doer.id === 0 ? doer.username : '',
      address: doer.address,
      kind,
      final: final ?? '',
      undoes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = changed.map((item) => ({ history_id: id, ...storeItem(ctx.secrets, item) }))
  for (let at = 0; at < rows.length; at += itemsPerInsert) {
    await tx
      .insertInto('history_items')
      .values(rows.slice(at, at + itemsPerInsert))
      .execute()
    await othersTurn()
  }
  return id
}

/** One call for the usual case: one or more things of one kind, with their rows before and after. */
export const record = <Row extends object>(
  ctx: Pick<Context, 'secrets' | 'clock'>,
  tx: Tx,
  doer: ChangeAuthor,
  { kind, things, final }: ChangeOfKind<Row>,
): Promise<number> =>
  recordItems(ctx, tx, doer, { kind, items: things.map((thing) => itemOf(kind, thing)), ...(final ? { final } : {}) })

/** For entries that hold things of several kinds. */
export const itemOf = <Row extends object>(kind: HistoryKind, thing: ChangedThing<Row>): Item => ({
  kind,
  target: String(thing.id),
  name: thing.name,
  before: thing.before as Fields | null,
  after: thing.after as Fields | null,
})
