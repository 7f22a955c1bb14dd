import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { type HistoryKind, historyKinds, historySecretDays } from '#shared/api/history.ts'
import { AppError } from '#shared/errors.ts'
import { expired, type Fields, type Item, openItem, partOf } from './item.ts'
import { kinds } from './kinds.ts'
import type { Restorers, UndoAuthor, UndoStep } from './restorer.ts'
import { type EntryRow, type ItemRow, laterChange, laterItems } from './store.ts'

export interface Entry {
  readonly row: EntryRow
  readonly items: readonly (Item & { readonly isExpired: boolean })[]
}

/** Things as they are now, by kind and target. */
export type Present = Readonly<Record<string, ReadonlyMap<string, Fields>>>

export const openEntry = ({ secrets }: Context, row: EntryRow, items: readonly ItemRow[]): Entry => ({
  row,
  items: items.map((item) => ({ ...openItem(secrets, item), isExpired: item.sealed === expired })),
})

/** What the decision whether an entry can be undone depends on. */
export interface UndoCheck {
  readonly ctx: Context
  readonly db: Db | Tx
  readonly restorers: Restorers
  readonly actor: UndoAuthor
}

export async function readPresent(
  { ctx, db, restorers }: UndoCheck,
  entries: readonly Entry[],
  lock: boolean,
): Promise<Present> {
  const targets: Partial<Record<HistoryKind, Set<string>>> = {}
  for (const { kind, target } of entries.flatMap(({ items }) => items)) {
    targets[kind] ??= new Set()
    targets[kind].add(target)
  }
  const present: Record<string, ReadonlyMap<string, Fields>> = {}
  for (const kind of lockOrder) {
    const wanted = targets[kind]
    if (wanted) present[kind] = (await restorers[kind]?.read(db, [...wanted], lock, ctx)) ?? new Map()
  }
  return present
}

const first: readonly HistoryKind[] = ['option', 'price']
const last: HistoryKind = 'channel'

/** The order of locks, as everywhere else, so that there is no deadlock: options, payers, channels. */
const lockOrder = [...first, ...historyKinds.filter((kind) => kind !== last && !first.includes(kind)), last]

/** What undoing an item would do; nothing else is decided here. Entries of earlier versions hold more than is put back. */
export function stepOf(whole: Item, present: Present): UndoStep {
  const item = partOf(whole, true)
  if (!item) throw new AppError('history.final_password')
  const from = present[item.kind]?.get(item.target) ?? null
  return { target: item.target, from, to: item.before, left: item.after }
}

/** Throws why the entry cannot be undone by this actor as things are now. */
export async function requireUndoable(check: UndoCheck, entry: Entry, present: Present): Promise<void> {
  const { ctx, db, restorers, actor } = check
  const { row, items } = entry
  if (row.undone_by !== 0) throw new AppError('history.undone', { entry: row.undone_by })
  if (row.final !== '') throw new AppError(`history.final_${row.final as 'money'}`)
  for (const item of items) {
    const restorer = restorers[item.kind]
    if (!restorer) throw new AppError('history.final')
    const step = stepOf(item, present)
    const isOver = item.after === null && row.created_at < epochSeconds(ctx) - historySecretDays * daySeconds
    if (isOver || item.isExpired) throw new AppError('history.expired', { days: historySecretDays })
    await refuseConflict(check, row.id, item, present)
    await restorer.allow(ctx, actor, step, db)
  }
}

async function refuseConflict(
  { ctx: { secrets }, db }: UndoCheck,
  entryId: number,
  item: Item,
  present: Present,
): Promise<void> {
  const now = present[item.kind]?.get(item.target) ?? null
  const changed = conflictingFields(item, now) ?? (await movedFields(secrets, db, entryId, item))
  if (changed === null) return
  const later = await laterChange(db, item.kind, item.target, entryId)
  const params = {
    thing: `${item.kind} ${item.name || item.target}`,
    fields: changed.join(', '),
    who: later?.username ?? (later?.actor || '?'),
    time: later ? new Date(later.created_at * 1000).toISOString().slice(0, 19).replace('T', ' ') : '?',
  }
  throw new AppError(now === null ? 'history.gone_since' : later ? 'history.changed_since' : 'history.differs', params)
}

/** The fields that were changed since and to which one of the entry's is bound, whatever they are now; null when there are none. */
async function movedFields(secrets: SecretBox, db: Db | Tx, entryId: number, item: Item): Promise<string[] | null> {
  if (!item.before || !item.after) return null
  const { bound, secrets: shown } = kinds[item.kind]
  const names = Object.keys(item.after).flatMap((name) => bound[name] ?? [])
  if (names.length === 0) return null
  const later = await laterItems(db, item.kind, item.target, entryId)
  const moved = new Set(later.flatMap((stored) => Object.keys(openItem(secrets, stored).after ?? {})))
  const changed = names.filter((name) => moved.has(name) && !Object.hasOwn(item.after ?? {}, name))
  return changed.length === 0 ? null : changed.map((name) => shown(item.target)[name] ?? name)
}

/** The fields that are not any more as the entry left them; null when all are. */
function conflictingFields({ kind, target, after }: Item, now: Fields | null): string[] | null {
  if (after === null) return now === null ? null : ['id']
  if (now === null) return []
  const { counters, follow, secrets, irreversible } = kinds[kind]
  const isCompared = (name: string) => !(name in follow) && !counters.includes(name) && !irreversible.includes(name)
  const changed = Object.keys(after).filter((name) => isCompared(name) && name in now && now[name] !== after[name])
  return changed.length === 0 ? null : changed.map((name) => secrets(target)[name] ?? name)
}
