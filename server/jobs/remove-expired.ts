import { epochSeconds } from '#server/context.ts'
import { forgetOldSecrets } from '#server/history/forget.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { Config } from '#server/process/config.ts'
import type { Job } from './job.ts'

/** A window is named by its beginning and counts until its end. */
const longestWindow = (config: Config): number => {
  const limits = [config.RATE_LIMIT_API, config.RATE_LIMIT_WEB, config.RATE_LIMIT_CRITICAL, config.RATE_LIMIT_REGISTER]
  return Math.max(daySeconds, ...limits.map((limit) => limit?.seconds ?? 0))
}

/** Addresses and devices not seen for this long are forgotten. */
const addressDays = 180
/** Health is shown for a day. */
const troubleDays = 8

/** Sessions, codes and login states that can no longer be used, and rate windows long past. */
export const removeExpired: Job = {
  name: 'remove-expired',
  everyMs: 10 * 60_000,
  leader: true,
  async run(ctx) {
    const { db } = ctx.database
    const now = epochSeconds(ctx)
    await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    await db.deleteFrom('codes').where('expires_at', '<=', now).execute()
    await db.deleteFrom('oauth_states').where('expires_at', '<=', now).execute()
    await db.deleteFrom('login_tickets').where('expires_at', '<=', now).execute()
    await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
    await forgetOldSecrets(ctx)
    await db
      .deleteFrom('login_addresses')
      .where('seen_at', '<', now - addressDays * daySeconds)
      .execute()
    await db
      .deleteFrom('channel_troubles')
      .where('slot', '<', now - troubleDays * daySeconds)
      .execute()
    await db
      .deleteFrom('limit_windows')
      .where('updated_at', '<', now - 3600)
      .execute()
    await db
      .deleteFrom('rate_windows')
      .where('window', '<', now - longestWindow(ctx.config))
      .execute()
  },
}
