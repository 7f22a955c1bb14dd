import type { Context } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { RelayFault, refuseSize } from '#server/relay/refusals.ts'
import { openConversation } from './own-response.ts'
import type { StateRow } from './state.store.ts'

/** It is read and written whole with every turn. */
const conversationMax = 16 * 1024 * 1024

/** Concurrent turns are added one after the other; a turn that does not fit any more is dropped. */
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

interface Talk {
  readonly metadata: JsonObject
  readonly items: readonly JsonObject[]
}

type Change = (own: Talk) => Talk

/** A conversation as it is kept; refused where it has grown too large. */
export function sealConversation({ secrets }: Pick<Context, 'secrets'>, talk: Talk): string {
  const text = JSON.stringify(talk)
  if (text.length > conversationMax) throw refuseSize(conversationMax)
  return secrets.seal(text)
}

export async function changeConversation(ctx: Context, userId: number, id: string, change: Change): Promise<void> {
  await ctx.database.db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('relay_state').selectAll().where('user_id', '=', userId).where('id', '=', id)
    const row = await (ctx.database.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
    if (!row) return
    const { metadata, items } = openConversation(ctx.secrets, row as StateRow)
    const body_sealed = sealConversation(ctx, change({ metadata, items }))
    await tx
      .updateTable('relay_state')
      .set({ body_sealed })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute()
  })
}
