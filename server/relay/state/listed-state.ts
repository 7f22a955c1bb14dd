import { sql } from 'kysely'
import { epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { FileKind, StateRow } from './state.store.ts'

/** What callers list. */
export type ListedKind = FileKind | 'batch' | 'anthropic-batch' | 'gemini-batch' | 'video' | 'cache'

/** In which order, and behind which id; one that is not there any more begins anew, so that nothing is left out. */
export interface ListPlace {
  readonly order: 'asc' | 'desc'
  readonly after: string | null
  /** How many are wanted. */
  readonly limit: number
}

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
    // As the index has it.
    .where(
      sql<boolean>`kind in ('file', 'anthropic-file', 'gemini-file', 'batch', 'anthropic-batch', 'gemini-batch', 'video', 'cache')`,
    )

/** What a user has of a kind, from a place on. Read as it is asked for: nobody has more in memory than is shown. */
export async function* listedState(
  { ctx }: Pick<RelayContext, 'ctx'>,
  whose: Whose,
  { order, after, limit }: ListPlace,
): AsyncGenerator<StateRow> {
  const rows = ofKind(ctx.database.db, whose)
  // One more says that there is more; whoever goes on leaves many out.
  let atOnce = Math.min(limit + 1, mostAtOnce)
  const beyond = order === 'asc' ? '>' : '<'
  let place =
    after === null ? undefined : await rows.select(['created_at', 'id']).where('id', '=', after).executeTakeFirst()
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
