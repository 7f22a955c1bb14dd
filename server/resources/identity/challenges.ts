import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { type ChallengePurpose, saveChallenge, takeChallenge } from './passkeys.store.ts'

const challengeSeconds = 300

const keyed = ({ secrets }: Context, purpose: ChallengePurpose, userId: number, challenge: string) => ({
  hash: secrets.hash(`challenge\n${challenge}`),
  purpose,
  userId,
})

export const issueChallenge = (ctx: Context, purpose: ChallengePurpose, userId: number, challenge: string) =>
  saveChallenge(ctx.database.db, keyed(ctx, purpose, userId, challenge), epochSeconds(ctx) + challengeSeconds)

export const spendChallenge = (ctx: Context, purpose: ChallengePurpose, userId: number, challenge: string) =>
  takeChallenge(ctx.database.db, keyed(ctx, purpose, userId, challenge), epochSeconds(ctx))
