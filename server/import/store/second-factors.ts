import type { ForeignUser } from '#server/import/form.ts'
import { userStatus } from '#shared/statuses.ts'
import type { ImportRun } from './run.ts'

const base32 = /^[A-Z2-7]{16,}$/

/** Authenticators go on working. An account whose secret cannot be read is disabled: its password alone must not open it. */
export async function storeFactors(run: ImportRun, users: readonly ForeignUser[]): Promise<void> {
  const secretOf = ({ totpSecret }: ForeignUser) => totpSecret.toUpperCase().replace(/[\s=-]/g, '')
  const withOne = users.filter((user) => user.totpSecret !== '')
  const ids = users.map(({ id }) => id)
  await run.tx.deleteFrom('totp').where('user_id', 'in', ids).execute()
  const unreadable = withOne.filter((user) => !base32.test(secretOf(user)))
  for (const { id } of unreadable) {
    run.report.note('authenticator not understood, account disabled (an administrator may enable it)', `user ${id}`)
    await run.tx.updateTable('users').set({ status: userStatus.banned }).where('id', '=', id).execute()
  }
  const kept = withOne.filter((user) => base32.test(secretOf(user)))
  run.report.count('authenticators', kept.length)
  if (kept.length === 0) return
  await run.tx
    .insertInto('totp')
    .values(
      kept.map((user) => ({
        user_id: user.id,
        secret_sealed: run.secrets.seal(secretOf(user)),
        confirmed: 1,
        last_step: 0,
        created_time: run.at,
      })),
    )
    .execute()
}
