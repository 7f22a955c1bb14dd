import { type Context, epochSeconds } from '#server/context.ts'
import { findTotp, spendRecoveryCode, spendStep } from './totp.store.ts'
import { matchingStep } from './totp.ts'

/** Uses a code of the app or a recovery code up. False when it is wrong or was used before. */
export async function acceptCode(ctx: Context, userId: number, code: string): Promise<boolean> {
  const { db } = ctx.database
  const row = await findTotp(db, userId)
  if (row?.confirmed !== 1) return false
  const step = matchingStep(ctx.secrets.open(row.secret_sealed), code, epochSeconds(ctx))
  return step === null ? spendRecoveryCode(db, userId, recoveryHash(ctx, userId, code)) : spendStep(db, userId, step)
}

export const recoveryHash = ({ secrets }: Context, userId: number, code: string): string =>
  secrets.hash(`recovery\n${userId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
