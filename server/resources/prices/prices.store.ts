import type { Context } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import type { Sums } from '#server/db/usage/cells.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'

export const readCarriers = (db: Db | Tx) =>
  db
    .selectFrom('channels')
    .select(['id', 'name', 'models', 'model_mapping', 'cost_ratio', 'status'])
    .orderBy('id')
    .execute()

export type Carrier = Awaited<ReturnType<typeof readCarriers>>[number]

/** What each model brought in and cost between two times. */
export const sumsByModel = (ctx: Pick<Context, 'database'>, from: number, to: number): Promise<Map<string, Sums>> =>
  reading(ctx, async (tx) => {
    const question = await prepare(tx, { filter: [], buckets: [{ from, to }], by: 'model_name' })
    return new Map((await readSums(tx, question)).map((sums) => [String(sums.key), sums]))
  })

const previewKeys = 'price-preview/'

/** The most previews that are kept; a further one replaces the oldest. */
const previewsMax = 20

/** Keeps a preview for whoever applies it, on whichever node; old ones go. Times are seconds. */
export async function keepPreview(db: Db, id: string, value: string, olderThan: string): Promise<void> {
  await db
    .deleteFrom('meta')
    .where('key', '>=', previewKeys)
    .where('key', '<', previewKeys + olderThan)
    .execute()
  const previews = db
    .selectFrom('meta')
    .select('key')
    .where('key', '>=', previewKeys)
    .where('key', '<', `${previewKeys}a`)
  const newest = await previews
    .orderBy('key', 'desc')
    .limit(previewsMax - 1)
    .execute()
  const oldest = newest.length < previewsMax - 1 ? undefined : newest.at(-1)
  if (oldest) await db.deleteFrom('meta').where('key', '>=', previewKeys).where('key', '<', oldest.key).execute()
  await db
    .insertInto('meta')
    .values({ key: previewKeys + id, value })
    .execute()
}

export async function findPreview(db: Db | Tx, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', previewKeys + id)
    .executeTakeFirst()
  return row?.value
}
