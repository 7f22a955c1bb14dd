import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import type { HistoryKind } from '#shared/api/history.ts'
import { changesOf, type Fields, type Item, partOf, type StoredItem, storeItem } from './item.ts'
import { insertItems } from './store.ts'

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

/** Entries that are worked out and not yet written. */
export interface PreparedChange {
  readonly entries: readonly PreparedEntry[]
  readonly doer: ChangeAuthor
}

interface PreparedEntry {
  readonly kind: HistoryKind
  readonly final?: Finality
  readonly undoes?: number
  readonly items: readonly StoredItem[]
}

/**
 * Works out an entry of the history, in portions; many things are best prepared before the transaction that makes the change.
 * Takes whole rows: differences are computed here, and `kinds.ts` names the secret and the counting columns. What can never be put
 * back is an entry before it.
 */
export async function prepareItems(
  { secrets }: Pick<Context, 'secrets'>,
  doer: ChangeAuthor,
  change: HistoryChange,
): Promise<PreparedChange> {
  const pace = createPace()
  const entryOf = async (
    { items, ...entry }: HistoryChange,
    part: (item: Item) => Item | null,
  ): Promise<PreparedEntry> => {
    const stored: StoredItem[] = []
    const store = (item: Item) => {
      const within = part(item)
      const changed = within && changesOf(within, entry.final !== undefined)
      if (changed) stored.push(storeItem(secrets, changed))
    }
    await inPortions(items, store, pace)
    return { ...entry, items: stored }
  }
  if (change.final) return { doer, entries: [await entryOf(change, (item) => item)] }
  const { kind, items } = change
  const lasting = await entryOf({ kind, items, final: 'password' }, (item) => partOf(item, false))
  return { doer, entries: [lasting, await entryOf(change, (item) => partOf(item, true))] }
}

/** Writes prepared entries in the transaction that makes the change. Returns the number of the last, 0 when nothing changed. */
export async function recordPrepared(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { entries, doer }: PreparedChange,
): Promise<number> {
  let last = 0
  for (const entry of entries) last = await insertEntry(ctx, tx, doer, entry)
  return last
}

/** Both at once. */
export const recordItems = async (
  ctx: Pick<Context, 'secrets' | 'clock'>,
  tx: Tx,
  doer: ChangeAuthor,
  change: HistoryChange,
): Promise<number> => recordPrepared(ctx, tx, await prepareItems(ctx, doer, change))

async function insertEntry(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  doer: ChangeAuthor,
  { kind, items, final, undoes = 0 }: PreparedEntry,
): Promise<number> {
  if (items.length === 0) return 0
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
  await insertItems(tx, id, items)
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
