import type { Context } from '#server/context.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'
import { AppError } from '#shared/errors.ts'
import { type Fields, type Item, showFields } from './item.ts'
import type { Restorers, UndoAuthor } from './restorer.ts'
import { type EntryRow, entriesByIds, itemsOf } from './store.ts'
import { type Entry, openEntry, type Present, readPresent, requireUndoable, type UndoCheck } from './undo-check.ts'

/** Entries as the console shows them, with what stands against undoing each. */
export async function presentEntries(
  ctx: Context,
  restorers: Restorers,
  actor: UndoAuthor,
  rows: readonly EntryRow[],
): Promise<HistoryEntry[]> {
  const { db } = ctx.database
  const items = Map.groupBy(
    await itemsOf(
      db,
      rows.map(({ id }) => id),
    ),
    ({ history_id }) => history_id,
  )
  // Entries may hold a thousand things each: a page of them in one turn would keep everybody else waiting.
  const entries: Entry[] = []
  for (const row of rows) {
    await othersTurn()
    entries.push(openEntry(ctx, row, items.get(row.id) ?? []))
  }
  const check: UndoCheck = { ctx, db, restorers, actor }
  const present = await readPresent(check, entries, false)
  const undoings = await entriesByIds(
    db,
    rows.flatMap(({ undone_by }) => (undone_by === 0 ? [] : [undone_by])),
  )
  const shown: HistoryEntry[] = []
  for (const entry of entries) {
    await othersTurn()
    const undoing = undoings.find(({ id }) => id === entry.row.undone_by)
    shown.push({
      ...presentEntry(entry, restorers),
      ...(await undoabilityOf(check, entry, present)),
      undone_time: undoing?.created_at ?? null,
      undone_actor: undoing ? nameOf(undoing) : '',
    })
  }
  return shown
}

const nameOf = ({ username, actor }: EntryRow): string => username ?? actor

type Undoability = Pick<HistoryEntry, 'undoable' | 'why_not' | 'why_not_code' | 'why_not_params'>

async function undoabilityOf(check: UndoCheck, entry: Entry, present: Present): Promise<Undoability> {
  try {
    await requireUndoable(check, entry, present)
    return { undoable: true, why_not: '', why_not_code: '', why_not_params: {} }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message, code, params } = error
    return { undoable: false, why_not: message, why_not_code: code, why_not_params: { ...params } }
  }
}

type Facts = Omit<HistoryEntry, keyof Undoability | 'undone_time' | 'undone_actor'>

function presentEntry({ row, items }: Entry, restorers: Restorers): Facts {
  const side = (of: 'before' | 'after'): Fields | null => {
    const shown = items.map((item) => {
      const fields = item[of] ?? defaultOf(restorers, item)
      return [labelOf(row.kind, item), showFields(item, fields, row.final !== '')] as const
    })
    const only = shown[0]
    if (shown.length === 1 && only) return only[1]
    const there = shown.filter(([, fields]) => fields !== null)
    return there.length === 0 ? null : Object.fromEntries(there)
  }
  return {
    id: row.id,
    time: row.created_at,
    actor: nameOf(row),
    actor_id: row.actor_id,
    address: row.address,
    kind: row.kind as HistoryKind,
    target: items.map(({ target }) => target).join(','),
    name: [...new Set(items.map(({ name }) => name).filter(Boolean))].join(', '),
    count: items.length,
    before: side('before'),
    after: side('after'),
    undone_by: row.undone_by || null,
    undoes: row.undoes || null,
  }
}

/** Of a thing that has a default, in the fields that the other side sets. */
function defaultOf(restorers: Restorers, { kind, target, before, after }: Item): Fields | null {
  const fields = restorers[kind]?.default?.(target) ?? null
  const other: Fields = before ?? after ?? {}
  return fields && Object.fromEntries(Object.entries(fields).filter(([name]) => (other[name] ?? null) !== null))
}

/** Of several things each is named by its target; by its kind too where the entry holds several kinds. */
const labelOf = (kind: string, item: { kind: string; target: string; name: string }): string =>
  item.kind === kind ? item.target : `${item.kind} ${item.name || item.target}`
