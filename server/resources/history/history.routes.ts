import { pageFrom } from '#server/db/page.ts'
import type { Restorers } from '#server/history/restorer.ts'
import { countEntries, entriesByIds, listActors, listEntries } from '#server/history/store.ts'
import { undoEntry } from '#server/history/undo.ts'
import { presentEntries } from '#server/history/view.ts'
import type { UserCall } from '#server/http/call.ts'
import { type Route, route } from '#server/http/mount.ts'
import { type HistoryEntry, historyApi } from '#shared/api/history.ts'
import { AppError } from '#shared/errors.ts'

/** How things are put back is known by the resources that own them. */
export function historyRoutes(restorers: Restorers): readonly Route[] {
  const one = async ({ ctx, actor }: UserCall<unknown>, id: number): Promise<HistoryEntry> => {
    const rows = await entriesByIds(ctx.database.db, [id])
    const [entry] = await presentEntries(ctx, restorers, actor, rows)
    if (!entry) throw new AppError('history.not_found')
    return entry
  }
  return [
    route(historyApi.list, async ({ ctx, actor, input }) => {
      const { db } = ctx.database
      const rows = await listEntries(db, input)
      const page = pageFrom(input, await presentEntries(ctx, restorers, actor, rows), await countEntries(db, input))
      return { ...page, actors: await listActors(db) }
    }),
    route(historyApi.get, (call) => one(call, call.input.id)),
    route(historyApi.undo, async (call) => one(call, await undoEntry(call.ctx, restorers, call.actor, call.input.id))),
  ]
}
