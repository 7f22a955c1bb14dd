import { isKeptOpenly, keptCode } from '#server/accounts/redemption-code.ts'
import type { Job } from './job.ts'

const perStep = 500

/** Redemption codes of versions that kept them in clear. Not at once: nodes of such a version may still be running. */
export const sealCodes: Job = {
  name: 'seal-codes',
  everyMs: 3_600_000,
  leader: true,
  async run({ database, secrets }) {
    const open = await database.db
      .selectFrom('redemptions')
      .select(['id', 'key', 'key_sealed'])
      .where('key_sealed', '=', '')
      .limit(perStep)
      .execute()
    for (const { id, ...kept } of open.filter(isKeptOpenly)) {
      await database.db
        .updateTable('redemptions')
        .set(keptCode(secrets, kept.key))
        .where('id', '=', id)
        .where('key', '=', kept.key)
        .execute()
    }
  },
}
