import { oldGiftsRemembered as mark, rememberGifts } from '#server/accounts/gifts.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'

const perStep = 500

/** Accounts of earlier versions had their gifts too. Done once, at the first start of a version that records gifts. */
export async function rememberOldGifts(ctx: Context): Promise<void> {
  const { db } = ctx.database
  if (await db.selectFrom('meta').select('key').where('key', '=', mark).executeTakeFirst()) return
  const at = epochSeconds(ctx)
  for (let after = 0; ; ) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email', 'github_id as githubId', 'wechat_id as wechatId'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(perStep)
      .execute()
    for (const user of users) await rememberGifts(db, ctx.secrets, user, at)
    after = users.at(-1)?.id ?? after
    if (users.length < perStep) break
  }
  const done = { key: mark, value: String(at) }
  await db
    .insertInto('meta')
    .values(done)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
