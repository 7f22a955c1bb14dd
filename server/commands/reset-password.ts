import { endAddedLogins } from '#server/accounts/end-added-logins.ts'
import { epochSeconds } from '#server/context.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import { clearFactors, hasFactor } from '#server/http/second-factors.ts'
import { revokeAccess } from '#server/http/session.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { randomText } from '#server/lib/random.ts'
import { mailEndedLogins } from '#server/mail/mail-ended-logins.ts'
import { createContext } from '#server/process/create-context.ts'
import { Refusal } from '#server/process/refusal.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import { findForLogin, setPasswordHash } from '#server/resources/auth/auth.store.ts'
import { Password } from '#shared/api/users.ts'
import { logType, userStatus } from '#shared/statuses.ts'
import { readArguments } from './arguments.ts'
import { type Command, UsageError } from './command.ts'
import { printWhole } from './print-whole.ts'
import { requireDatabase } from './require-database.ts'

export const resetPassword: Command = {
  summary: 'Give an account a new password and end its sessions',
  usage: '<username> [--password <password>] [--second-factor]',
  help: [
    'Without --password one is made up and printed. A password on the command line can be seen by other users of the',
    'machine while the command runs. Passkeys and linked logins of the account end, and its owner gets a mail; with',
    '--second-factor its authenticator app and recovery codes are removed too. Works beside a running server.',
  ].join('\n'),
  async run(config, args) {
    const { first: username, values } = readArguments(args, 'username', {
      password: { type: 'string' },
      'second-factor': { type: 'boolean' },
    })
    const given = typeof values.password === 'string' ? values.password : null
    if (given !== null) {
      const checked = Password.safeParse(given)
      if (!checked.success) throw new UsageError(checked.error.issues[0]?.message ?? 'the password is not valid')
    }
    requireDatabase(config)
    const password = given ?? randomText(16)
    const ctx = await createContext({ ...config, LOG_LEVEL: 'silent' }, await loadSecretKey(config))
    try {
      const user = await findForLogin(ctx.database.db, username)
      if (!user) throw new Refusal(`There is no account ${username}.`)
      const hash = await hashPassword(password)
      const ended = await transact(ctx, async (tx, announce) => {
        await setPasswordHash(tx, user.id, hash)
        await revokeAccess(tx, user.id, null)
        const logins = await endAddedLogins(tx, user.id)
        const clears = values['second-factor'] === true
        if (clears) await clearFactors(tx, user.id)
        const code = clears ? 'password.and_factor_by_command' : 'password.by_command'
        const at = epochSeconds(ctx)
        await writeLog(tx, {
          userId: user.id,
          username: user.username,
          type: logType.system,
          event: { code, values: {} },
          at,
        })
        announce({ topic: 'user', id: user.id })
        // One that nobody has read would lock the account.
        if (given === null) await printWhole(`The new password of ${user.username}: ${password}\n`, notSet)
        return logins
      })
      if (given !== null) console.log(`${user.username} has the new password.`)
      if (!values['second-factor'] && (await hasFactor(ctx.database.db, user.id))) {
        console.log('The account asks for a second factor; --second-factor removes it.')
      }
      if (user.status !== userStatus.activated) console.log('The account is banned and cannot log in.')
      if (!ctx.options().PasswordLoginEnabled) console.log('Password login is switched off (PasswordLoginEnabled).')
      await mailEndedLogins(ctx, ended)
      return 0
    } finally {
      await ctx.database.close()
    }
  },
}

const notSet = (reason: string): string =>
  `The new password could not be printed: ${reason}. It was not set; the one of before is still good.`
