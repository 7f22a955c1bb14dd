import type { Context } from '#server/context.ts'
import type { RelayItemsTable } from '#server/db/tables.ts'
import { arrayOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import { RelayFault, refuseSize } from '#server/relay/refusals.ts'
import { addItems, type Parent, takePlaces } from './kept-items.store.ts'
import type { StateRow } from './state.store.ts'

/** It is sent whole with every turn. */
const conversationMax = 16 * 1024 * 1024

/** Concurrent turns are added one after the other; a turn that does not fit any more is dropped. */
export async function appendToConversation(
  ctx: Context,
  conversation: Parent,
  items: readonly JsonObject[],
): Promise<void> {
  try {
    await addToConversation(ctx, conversation, items)
  } catch (error) {
    if (!(error instanceof RelayFault)) throw error
  }
}

/** Adds items behind all others; refused where the conversation would grow too large. */
export async function addToConversation(
  ctx: Context,
  conversation: Parent,
  items: readonly JsonObject[],
): Promise<void> {
  const { db } = ctx.database
  const { rows, bytes } = await sealedItems(ctx, conversation, items)
  const first = await takePlaces(db, conversation, { count: rows.length, bytes, bytesMost: conversationMax })
  if (first === null) throw refuseSize(conversationMax)
  await addItems(
    db,
    rows.map((row) => ({ ...row, position: first + row.position })),
  )
}

interface SealedItems {
  readonly rows: readonly RelayItemsTable[]
  readonly bytes: number
}

async function sealedItems(
  { secrets }: Pick<Context, 'secrets'>,
  { user_id, id: parent }: Parent,
  items: readonly JsonObject[],
): Promise<SealedItems> {
  const rows: RelayItemsTable[] = []
  const pace = createPace()
  let bytes = 0
  for (const [position, item] of items.entries()) {
    const text = JSON.stringify(item)
    bytes += text.length
    if (bytes > conversationMax) throw refuseSize(conversationMax)
    const id = textOf(item.id) ?? ''
    rows.push({ user_id, parent, position, id, bytes: text.length, body_sealed: secrets.seal(text) })
    if (pace.isDue()) await pace.giveWay()
  }
  return { rows, bytes }
}

export const openItem = ({ secrets }: Pick<Context, 'secrets'>, { body_sealed }: RelayItemsTable): JsonObject =>
  objectOf(parseJson(secrets.open(body_sealed))) ?? {}

/** What a conversation's own row says. */
export const metadataOf = ({ secrets }: Pick<Context, 'secrets'>, { body_sealed }: StateRow): JsonObject =>
  objectOf(objectOf(parseJson(secrets.open(body_sealed)))?.metadata) ?? {}

/** It is shown with every change; vendors take a few pairs of short texts. */
const metadataMax = 1024 * 1024

export function sealMetadata({ secrets }: Pick<Context, 'secrets'>, metadata: JsonObject): string {
  const text = JSON.stringify({ metadata })
  if (text.length > metadataMax) throw refuseSize(metadataMax)
  return secrets.seal(text)
}

export const changeMetadata = (ctx: Context, { user_id, id }: Parent, metadata: JsonObject): Promise<unknown> =>
  ctx.database.db
    .updateTable('relay_state')
    .set({ body_sealed: sealMetadata(ctx, metadata) })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute()

/** Takes a conversation apart that was kept in one piece before its items were rows; nothing for any other. */
export async function inRows(ctx: Context, row: StateRow): Promise<void> {
  if (row.items >= 0) return
  const { metadata, items } = objectOf(parseJson(ctx.secrets.open(row.body_sealed))) ?? {}
  const kept = arrayOf(items).map((entry) => objectOf(entry) ?? {})
  const { rows, bytes } = await sealedItems(ctx, row, kept)
  const body_sealed = sealMetadata(ctx, objectOf(metadata) ?? {})
  await ctx.database.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('relay_state')
      .set({ items: rows.length, items_bytes: bytes, body_sealed })
      .where('user_id', '=', row.user_id)
      .where('id', '=', row.id)
      .where('items', '=', -1)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await addItems(tx, rows)
  })
}
