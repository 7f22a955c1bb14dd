import { epochSeconds } from '#server/context.ts'
import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Actor, Call } from '#server/http/call.ts'
import { cookie, readCookie } from '#server/http/session.ts'
import { randomText } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'
import { saveState, takeState } from './states.store.ts'

const stateSeconds = 600
const bindingCookie = 'oauth_binding'
const bindingLength = 43

/** Starts an external login, or a binding when somebody is logged in. Only this browser can finish it. */
export async function startExternal(call: Call<unknown>): Promise<string> {
  const { ctx, request, actor } = call
  await refuseExhausted(call)
  const state = randomText(32)
  const known = readCookie(request, bindingCookie)
  // Kept when there is one already, so that logins begun in two tabs can both finish.
  const binding = known.length === bindingLength ? known : randomText(bindingLength)
  await saveState(ctx.database.db, {
    state_hash: ctx.secrets.hash(state),
    binding_hash: ctx.secrets.hash(binding),
    purpose: actor ? 'bind' : 'login',
    user_id: actor?.id ?? 0,
    expires_at: epochSeconds(ctx) + stateSeconds,
  })
  call.cookies.push(cookie(ctx, request, bindingCookie, binding, stateSeconds))
  return state
}

/** Uses a state up. Answers who is to be bound, or null for a login. */
export async function finishExternal(call: Call<unknown>, state: string): Promise<Actor | null> {
  const { ctx, request, actor } = call
  await refuseExhausted(call)
  const begun = state === '' ? undefined : await takeState(ctx.database.db, ctx.secrets.hash(state))
  const valid =
    begun !== undefined &&
    begun.expires_at > epochSeconds(ctx) &&
    begun.binding_hash === ctx.secrets.hash(readCookie(request, bindingCookie))
  if (valid && begun.purpose === 'login') return null
  if (valid && actor && begun.user_id === actor.id) return actor
  await countFailure(call)
  throw new AppError('auth.state_mismatch')
}
