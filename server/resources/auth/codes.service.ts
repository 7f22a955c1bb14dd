import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { AppError } from '#shared/errors.ts'
import { type Code, type CodePurpose, saveCode, tryCode, useCode } from './codes.store.ts'

export const codeMinutes = 10

const refusals = { verify: 'code.wrong', reset: 'reset.invalid' } as const

const sealed = ({ secrets }: Context, purpose: CodePurpose, subject: string, code: string): Code => ({
  purpose,
  subject,
  hash: secrets.hash(`${purpose}\n${subject}\n${code}`),
})

export const issueCode = (ctx: Context, purpose: CodePurpose, subject: string, code: string): Promise<void> =>
  saveCode(ctx.database.db, sealed(ctx, purpose, subject, code), epochSeconds(ctx) + codeMinutes * 60)

/** Uses the code up inside the transaction that does what it allows. */
export type UseUp = (tx: Tx) => Promise<void>

/** Refuses a wrong, expired or used code, and counts the failure. */
export async function checkCode(
  call: Call<unknown>,
  purpose: CodePurpose,
  subject: string,
  code: string,
): Promise<UseUp> {
  await refuseExhausted(call, subject)
  const given = sealed(call.ctx, purpose, subject, code.trim())
  if (!(await tryCode(call.ctx.database.db, given, epochSeconds(call.ctx)))) {
    await countFailure(call, subject)
    throw new AppError(refusals[purpose])
  }
  return async (tx) => {
    if (!(await useCode(tx, given))) throw new AppError(refusals[purpose])
  }
}
