import { epochSeconds } from '#server/context.ts'
import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Actor, Call } from '#server/http/call.ts'
import { cookie, readCookie } from '#server/http/session.ts'
import { randomText } from '#server/lib/random.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import { AppError } from '#shared/errors.ts'
import { requireProof } from './proof.ts'
import { saveState, takeState } from './states.store.ts'

const stateSeconds = 600
const bindingCookie = 'oauth_binding'
const bindingLength = 43

/**
 * Starts an external login, or a binding when somebody is logged in, who has to prove that the account is his. Only this browser can
 * finish it. `remember` returns what the way back is checked against.
 */
export async function startExternal(
  call: Call<OwnerProof>,
  remember: (state: string) => Promise<string> = async () => '',
): Promise<string> {
  const { ctx, request, actor } = call
  await refuseExhausted(call)
  if (actor) await requireProof({ ...call, actor })
  const state = randomText(32)
  const known = readCookie(request, bindingCookie)
  // Kept when there is one already, so that logins begun in two tabs can both finish.
  const binding = known.length === bindingLength ? known : randomText(bindingLength)
  const remembered = await remember(state)
  await saveState(ctx.database.db, {
    state_hash: ctx.secrets.hash(state),
    binding_hash: ctx.secrets.hash(binding),
    purpose: actor ? 'bind' : 'login',
    user_id: actor?.id ?? 0,
    expires_at: epochSeconds(ctx) + stateSeconds,
    sealed: remembered === '' ? '' : ctx.secrets.seal(remembered),
  })
  call.cookies.push(cookie(ctx, request, { name: bindingCookie, value: binding, maxAgeSeconds: stateSeconds }))
  return state
}

interface Begun {
  /** Who is to be bound; null for a login. */
  readonly binding: Actor | null
  /** What was to be remembered. */
  readonly sealed: string
}

/** Uses a state up. Only what was begun with something to remember ends with it, so that no service takes the state of another. */
export async function finishJourney(call: Call<unknown>, state: string, remembers = true): Promise<Begun> {
  const { ctx, request, actor } = call
  await refuseExhausted(call)
  const begun = state === '' ? undefined : await takeState(ctx.database.db, ctx.secrets.hash(state))
  const valid =
    begun !== undefined &&
    begun.expires_at > epochSeconds(ctx) &&
    (begun.sealed !== '') === remembers &&
    begun.binding_hash === ctx.secrets.hash(readCookie(request, bindingCookie))
  if (valid) {
    const sealed = ctx.secrets.open(begun.sealed)
    if (begun.purpose === 'login') return { binding: null, sealed }
    if (actor && begun.user_id === actor.id) return { binding: actor, sealed }
  }
  await countFailure(call)
  throw new AppError('auth.state_mismatch')
}

/** Uses a state up. Returns who is to be bound, or null for a login. */
export const finishExternal = async (call: Call<unknown>, state: string): Promise<Actor | null> =>
  (await finishJourney(call, state, false)).binding
