import type { Selectable } from 'kysely'
import type { Context } from '#server/context.ts'
import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Announce } from '#server/db/transact.ts'
import type { HistoryKind } from '#shared/api/history.ts'
import type { Fields } from './item.ts'
import type { ChangeAuthor } from './record.ts'

export interface Undoing {
  readonly ctx: Context
  readonly tx: Tx
  readonly announce: Announce
}

/** What an undo would do to one thing: `from` is null when it brings it back, `to` when it deletes it. */
export interface UndoStep {
  readonly target: string
  /** As the thing is now. */
  readonly from: Fields | null
  /** What would be set. */
  readonly to: Fields | null
  /** As the entry left it. */
  readonly left: Fields | null
}

export type UndoAuthor = ChangeAuthor & { readonly role: number }

/** How changes of one kind are taken back. Each resource brings its own; `server/restorers.ts` lists them. */
export interface Restorer {
  /** Things as they are now, by target; with `lock` until the transaction ends. */
  read(db: Db | Tx, targets: readonly string[], lock: boolean, ctx: Context): Promise<Map<string, Fields>>
  /** Throws the refusal the actor would get for doing the same by hand. */
  allow(ctx: Context, actor: UndoAuthor, step: UndoStep, db: Db | Tx): void | Promise<void>
  change(undoing: Undoing, target: string, fields: Fields): Promise<void>
  insert(undoing: Undoing, target: string, fields: Fields): Promise<void>
  remove(undoing: Undoing, target: string): Promise<void>
  /** What holds where the thing has nothing of its own: shown in place of what was not there. */
  default?(target: string): Fields | null
  /** Throws when the restored things contradict each other. */
  agree?(undoing: Undoing, targets: readonly string[]): Promise<void>
  /** What is left to do once the transaction has committed, outside its locks. */
  finish?(ctx: Context): Promise<void>
}

export type Restorers = Readonly<Record<HistoryKind, Restorer | null>>

type Numbered = 'channels' | 'tokens' | 'redemptions' | 'users' | 'teams'

/** Reads rows of a table by their numbers. */
export async function readRows(
  db: Db | Tx,
  table: Numbered,
  targets: readonly string[],
  lock: boolean,
): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  const sorted = targets.map(Number).sort((one, other) => one - other)
  for (let at = 0; at < sorted.length; at += rowsPerRead) {
    const ids = sorted.slice(at, at + rowsPerRead)
    const rows = db
      .selectFrom(table as 'channels')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('id')
    const locked = lock && !isSqlite(db) ? rows.forUpdate() : rows
    for (const row of await locked.execute()) found.set(String(row.id), { ...row })
  }
  return found
}

const rowsPerRead = 500

/** The fields a table still has; columns do not come back to life with old entries. */
export const rowFor = <Table extends Numbered>(target: string, fields: Fields): Selectable<Tables[Table]> =>
  ({ ...fields, id: Number(target) }) as unknown as Selectable<Tables[Table]>
