import type { Context } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import type { HistoryKind } from '#shared/api/history.ts'
import { AppError } from '#shared/errors.ts'
import type { Item } from './item.ts'
import { logAction } from './log-action.ts'
import { type HistoryChange, recordItems } from './record.ts'
import type { Restorers, UndoAuthor, Undoing } from './restorer.ts'
import { entriesByIds, itemsOf, lockEntry, markUndone } from './store.ts'
import {
  type Entry,
  openEntry,
  type Present,
  readPresent,
  requireUndoable,
  stepOf,
  type UndoCheck,
} from './undo-check.ts'

/** Puts back what an entry changed, all of it or nothing. Returns the number of the new entry. */
export async function undoEntry(ctx: Context, restorers: Restorers, actor: UndoAuthor, id: number): Promise<number> {
  const undone = await transact(ctx, async (tx, announce) => {
    if (!(await lockEntry(tx, id))) throw new AppError('history.not_found')
    const entry = await loadEntry(ctx, tx, id)
    const check: UndoCheck = { ctx, db: tx, restorers, actor }
    const before = await readPresent(check, [entry], true)
    await requireUndoable(check, entry, before)
    await putBack({ ctx, tx, announce }, restorers, entry, before)
    const after = await readPresent(check, [entry], false)
    const by = await recordItems(ctx, tx, actor, undoOf(entry, before, after))
    await markUndone(tx, id, by)
    const things = entry.items.map(wordFor).join(', ').slice(0, 900)
    await logAction(ctx, tx, actor, { code: 'history.undone', values: { entry: id, kind: entry.row.kind, things } })
    return { by, kinds: new Set(entry.items.map(({ kind }) => kind)) }
  })
  await ctx.refreshOptions()
  for (const kind of undone.kinds) await restorers[kind]?.finish?.(ctx)
  return undone.by
}

/** Accounts go by their number: a name would outlive them in the log. */
const wordFor = ({ kind, name, target }: Item): string => (kind === 'user' ? `#${target}` : name || target)

async function loadEntry(ctx: Context, db: Parameters<typeof itemsOf>[0], id: number): Promise<Entry> {
  const [row] = await entriesByIds(db, [id])
  if (!row) throw new AppError('history.not_found')
  return openEntry(ctx, row, await itemsOf(db, [id]))
}

/** Last change first, as one goes back. */
async function putBack(undoing: Undoing, restorers: Restorers, { items }: Entry, present: Present): Promise<void> {
  for (const item of [...items].reverse()) {
    const restorer = restorers[item.kind]
    if (!restorer) throw new AppError('history.final')
    const { target, from, to } = stepOf(item, present)
    if (to === null) await restorer.remove(undoing, target)
    else if (from === null) await restorer.insert(undoing, target, to)
    else await restorer.change(undoing, target, to)
  }
  for (const kind of new Set(items.map((item) => item.kind))) {
    const targets = items.filter((item) => item.kind === kind).map(({ target }) => target)
    await restorers[kind]?.agree?.(undoing, targets)
  }
}

/** An undoing is a change like any other. */
function undoOf({ row, items }: Entry, before: Present, after: Present): HistoryChange {
  const side = (present: Present, kind: HistoryKind, target: string) => present[kind]?.get(target) ?? null
  const changed = items.map(({ kind, target, name }) =>
    withoutPerson({ kind, target, name, before: side(before, kind, target), after: side(after, kind, target) }),
  )
  return {
    kind: row.kind as HistoryKind,
    items: changed,
    undoes: row.id,
    ...(changed.some(isAccountGone) ? { final: 'account' } : {}),
  }
}

const isAccountGone = ({ kind, after }: Item): boolean => kind === 'user' && after === null

/** Of a deleted account the history keeps no name. */
const withoutPerson = (item: Item): Item =>
  isAccountGone(item) ? { ...item, name: '', before: { role: item.before?.role, status: item.before?.status } } : item
