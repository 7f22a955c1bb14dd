import { epochSeconds } from '#server/context.ts'
import type { Call } from '#server/http/call.ts'
import { networkOf } from '#server/http/client-address.ts'
import { startSession } from '#server/http/session.ts'
import { canSendMail, sendMail } from '#server/mail/mailer.ts'
import { newDeviceMail } from '#server/mail/templates.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import { AppError } from '#shared/errors.ts'
import { userStatus } from '#shared/statuses.ts'
import { deviceName } from './device.ts'
import { rememberAddress } from './login-addresses.ts'

type LoggingIn = Pick<LoginUser, 'id' | 'status'> & { readonly password_hash?: string }

/** Logs a user in with a new session, never an existing one. A login by password brings the hash it was checked against. */
export async function grantSession(call: Call<unknown>, user: LoggingIn): Promise<void> {
  if (user.status !== userStatus.activated) throw new AppError('auth.banned')
  const device = deviceName(call.request.headers.get('user-agent') ?? '')
  const seen = { device, address: call.clientAddress, passwordHash: user.password_hash }
  call.cookies.push(await startSession(call.ctx, call.request, user.id, seen))
  await rememberAddress(call, user.id)
  await recordDevice(call, user.id, device)
}

/** A device is a browser on a network. A new one is reported to the account's owner. */
async function recordDevice(call: Call<unknown>, userId: number, device: string): Promise<void> {
  const { ctx, request } = call
  const { db } = ctx.database
  const place = `${request.headers.get('user-agent') ?? ''}\n${networkOf(call.clientAddress)}`
  const device_hash = ctx.secrets.hash(`device\n${place}`)
  const rows = await db.selectFrom('known_devices').select('device_hash').where('user_id', '=', userId).execute()
  const isKnown = rows.some((row) => row.device_hash === device_hash)
  const seen_at = epochSeconds(ctx)
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash, seen_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'device_hash']).doUpdateSet({ seen_at }))
    .execute()
  if (!isKnown && rows.length > 0) await reportDevice(call, userId, device)
}

/** The login neither waits for the mail nor fails with it. */
async function reportDevice({ ctx, clientAddress }: Call<unknown>, userId: number, device: string): Promise<void> {
  const options = ctx.options()
  if (!canSendMail(options)) return
  const user = await ctx.database.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user?.email) return
  const time = new Date(ctx.clock()).toISOString().slice(0, 16).replace('T', ' ')
  const facts = { to: user.email, system: options.SystemName, device, address: clientAddress, time }
  sendMail(ctx, newDeviceMail(facts)).catch(() => {})
}
