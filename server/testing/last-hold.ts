import { parseRoute } from '#server/db/logs/route-record.ts'
import type { RelayScene } from './relay-scene.ts'

/** What was held for the newest request, as its row remembers. */
export async function lastHold({ app }: Pick<RelayScene, 'app'>): Promise<number> {
  const rows = app.ctx.database.db.selectFrom('logs').select('route').orderBy('id', 'desc').limit(1)
  return parseRoute((await rows.executeTakeFirstOrThrow()).route).reserve
}
