import { lockUsers } from '#server/accounts/lock-users.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { UserCall } from '#server/http/call.ts'
import { randomText } from '#server/lib/random.ts'
import type { Token } from '#shared/api/tokens.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { presentTokenInUse } from './present-token.ts'
import { findToken, type TokenFields, updateToken } from './tokens.store.ts'

const keyLength = 48

export const newKey = ({ secrets }: Pick<Context, 'secrets'>) => {
  const key = randomText(keyLength)
  return { key_hash: secrets.hash(key), key_sealed: secrets.seal(key) }
}

/** A new key. The old one works for a while yet; one from before that ends. */
export const rotateKey = (call: UserCall<{ id: number; grace: number }>): Promise<Token> =>
  change(call, (row) => {
    const { grace } = call.input
    const expires = grace === 0 ? 0 : epochSeconds(call.ctx) + grace
    const previous = grace === 0 ? '' : row.key_hash
    return { ...newKey(call.ctx), previous_key_hash: previous, previous_key_expires: expires }
  })

export const endGrace = (call: UserCall<{ id: number }>): Promise<Token> =>
  change(call, () => ({ previous_key_hash: '', previous_key_expires: 0 }))

async function change(
  { ctx, actor, input }: UserCall<{ id: number }>,
  fields: (row: { key_hash: string }) => TokenFields,
): Promise<Token> {
  const changed = await transact(ctx, async (tx, announce) => {
    await lockUsers(tx, [actor.id])
    const before = await findToken(tx, actor.id, input.id)
    if (!before) throw new AppError('token.not_found')
    await updateToken(tx, input.id, fields(before))
    const after = await findToken(tx, actor.id, input.id)
    if (!after) throw new AppError('token.not_found')
    if (isAdmin(actor.role))
      await record(ctx, tx, actor, { kind: 'token', things: [{ id: after.id, name: after.name, before, after }] })
    announce({ topic: 'token', id: input.id })
    return after
  })
  return presentTokenInUse(ctx, actor, changed)
}
