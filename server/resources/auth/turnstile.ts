import type { Call } from '#server/http/call.ts'
import { objectOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { fetchUnmoved } from '#server/lib/network/fetch-unmoved.ts'
import { AppError } from '#shared/errors.ts'

/** Refuses unless the human check passes, where it is on. Every token is checked anew; none lasts a session. */
export async function requireHuman(
  { ctx, clientAddress }: Pick<Call<unknown>, 'ctx' | 'clientAddress'>,
  token: string | undefined,
): Promise<void> {
  const { TurnstileCheckEnabled, TurnstileSecretKey } = ctx.options()
  if (!TurnstileCheckEnabled) return
  if (!token) throw new AppError('turnstile.empty')
  const answer = await fetchUnmoved(ctx.fetch, ctx.config.TURNSTILE_URL, {
    method: 'POST',
    body: new URLSearchParams({ secret: TurnstileSecretKey, response: token, remoteip: clientAddress }),
    signal: AbortSignal.timeout(5000),
  })
    .then((answered) => {
      if (answered.status >= 500) throw new Error(`the service answered ${answered.status}`)
      return boundedJson(answered)
    })
    .catch((cause) => {
      ctx.log.warn('the human check cannot be verified', { cause })
      throw new AppError('turnstile.unreachable', {}, { cause })
    })
  if (objectOf(answer)?.success !== true) throw new AppError('turnstile.failed')
}
