import { lockMaker } from '#server/accounts/lock-users.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { UserCall } from '#server/http/call.ts'
import { factorsOf } from '#server/http/second-factors.ts'
import { requireEntrance } from '#server/http/session.ts'
import { guessing } from '#server/identity/login-addresses.ts'
import { acceptCode, recoveryHash } from '#server/identity/second-factor-code.ts'
import {
  countRecoveryCodes,
  findTotp,
  removeTotp,
  replaceRecoveryCodes,
  savePending,
  spendStep,
} from '#server/identity/totp.store.ts'
import { matchingStep, newTotpSecret, totpUri } from '#server/identity/totp.ts'
import { randomText } from '#server/lib/random.ts'
import type { identityApi } from '#shared/api/identity.ts'
import type { OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'

const codesAtOnce = 10

/** Without letters and digits that look alike. */
const codeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'

export async function secondFactors({
  ctx,
  actor,
}: UserCall<unknown>): Promise<OutputOf<typeof identityApi.secondFactor>> {
  const { db } = ctx.database
  return { ...(await factorsOf(db, actor.id)), recovery_codes_left: await countRecoveryCodes(db, actor.id) }
}

export async function startTotp({ ctx, actor }: UserCall<unknown>): Promise<OutputOf<typeof identityApi.totpStart>> {
  const secret = newTotpSecret()
  await transact(ctx, async (tx) => {
    await lockMaker(tx, actor.id)
    if ((await findTotp(tx, actor.id))?.confirmed === 1) throw new AppError('totp.exists')
    await savePending(tx, actor.id, ctx.secrets.seal(secret), epochSeconds(ctx))
  })
  return { secret, uri: totpUri(secret, ctx.options().SystemName, actor.username) }
}

type Coded = UserCall<{ code: string }>
type RecoveryCodes = OutputOf<typeof identityApi.totpConfirm>

export async function confirmTotp(call: Coded): Promise<RecoveryCodes> {
  const { ctx, actor, input } = call
  const row = await findTotp(ctx.database.db, actor.id)
  if (!row) throw new AppError('totp.missing')
  if (row.confirmed === 1) throw new AppError('totp.exists')
  const step = await guessing(call, actor, async () => {
    const matching = matchingStep(ctx.secrets.open(row.secret_sealed), input.code, epochSeconds(ctx))
    if (matching === null) throw new AppError('code.wrong')
    return matching
  })
  return transact(ctx, async (tx) => {
    await lockMaker(tx, actor.id)
    await requireEntrance(tx, call)
    const now = await findTotp(tx, actor.id)
    if (now?.confirmed === 1) throw new AppError('totp.exists')
    if (now?.secret_sealed !== row.secret_sealed) throw new AppError('code.wrong')
    if (!(await spendStep(tx, actor.id, step, true))) throw new AppError('code.wrong')
    return newRecoveryCodes(ctx, tx, actor.id)
  })
}

export async function renewRecoveryCodes(call: Coded): Promise<RecoveryCodes> {
  await requireCode(call)
  return transact(call.ctx, async (tx) => {
    await lockMaker(tx, call.actor.id)
    await requireEntrance(tx, call)
    return newRecoveryCodes(call.ctx, tx, call.actor.id)
  })
}

export async function disableTotp(call: Coded): Promise<void> {
  await requireCode(call)
  await transact(call.ctx, (tx) => removeTotp(tx, call.actor.id))
}

async function requireCode(call: Coded): Promise<void> {
  const { ctx, actor, input } = call
  if ((await findTotp(ctx.database.db, actor.id))?.confirmed !== 1) throw new AppError('totp.missing')
  await guessing(call, actor, async () => {
    if (!(await acceptCode(ctx, actor.id, input.code))) throw new AppError('code.wrong')
  })
}

async function newRecoveryCodes(ctx: Context, tx: Tx, userId: number): Promise<RecoveryCodes> {
  const codes = Array.from(
    { length: codesAtOnce },
    () => `${randomText(5, codeAlphabet)}-${randomText(5, codeAlphabet)}`,
  )
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(ctx, userId, code)),
  )
  return { recovery_codes: codes }
}
