import type { Context } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import { openConversation } from './own-response.ts'
import type { StateRow } from './state.store.ts'

/** It is read and written whole with every turn. */
const conversationMax = 16 * 1024 * 1024

/** Turns that end at one moment are added one after the other; what does not fit any more is not added. */
export async function appendToConversation(
  ctx: Context,
  userId: number,
  id: string,
  items: readonly JsonObject[],
): Promise<void> {
  try {
    await changeConversation(ctx, userId, id, (own) => ({ ...own, items: [...own.items, ...items] }))
  } catch (error) {
    if (!(error instanceof RelayFault)) throw error
  }
}

type Change = (own: { metadata: JsonObject; items: readonly JsonObject[] }) => {
  metadata: JsonObject
  items: readonly JsonObject[]
}

export async function changeConversation(ctx: Context, userId: number, id: string, change: Change): Promise<void> {
  await ctx.database.db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('relay_state').selectAll().where('user_id', '=', userId).where('id', '=', id)
    const row = await (ctx.database.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
    if (!row) return
    const { metadata, items } = openConversation(ctx.secrets, row as StateRow)
    const text = JSON.stringify(change({ metadata, items }))
    if (text.length > conversationMax) throw refuse('tooLarge')
    const body_sealed = ctx.secrets.seal(text)
    await tx
      .updateTable('relay_state')
      .set({ body_sealed })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute()
  })
}
