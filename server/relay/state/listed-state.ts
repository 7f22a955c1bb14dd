import { sql } from 'kysely'
import { epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import { hasZero } from '#server/lib/text/without-zeros.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { ListPlace } from './list-place.ts'
import type { FileKind, StateRow } from './state.store.ts'

/** What callers list. */
export type ListedKind = FileKind | 'batch' | 'anthropic-batch' | 'gemini-batch' | 'video' | 'cache'

interface Whose {
  readonly userId: number
  readonly kind: ListedKind
}

const mostAtOnce = 500

const ofKind = (db: Db, { userId, kind }: Whose) =>
  db
    .selectFrom('relay_state')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    // Written as the partial index is, so that the index is used.
    .where(
      sql<boolean>`kind in ('file', 'anthropic-file', 'gemini-file', 'batch', 'anthropic-batch', 'gemini-batch', 'video', 'cache')`,
    )

/** A user's things of a kind, from a place in the list on. Rows are read as they are consumed, so memory holds one page. */
export async function* listedState(
  { ctx }: Pick<RelayContext, 'ctx'>,
  whose: Whose,
  { order, after, limit }: ListPlace,
): AsyncGenerator<StateRow> {
  const rows = ofKind(ctx.database.db, whose)
  // One row more tells whether the list goes on. Later reads are larger: the caller then skips most rows.
  let atOnce = Math.min(limit + 1, mostAtOnce)
  const beyond = order === 'asc' ? '>' : '<'
  let place =
    after === null || hasZero(after)
      ? undefined
      : await rows.select(['created_at', 'id']).where('id', '=', after).executeTakeFirst()
  for (;;) {
    const last = place
    const found = await rows
      .selectAll()
      .where('expires_at', '>', epochSeconds(ctx))
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), beyond, tuple(last?.created_at ?? 0, last?.id ?? '')),
        ),
      )
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(atOnce)
      .execute()
    yield* found as StateRow[]
    place = found.at(-1)
    if (found.length < atOnce) return
    atOnce = mostAtOnce
    await othersTurn()
  }
}
