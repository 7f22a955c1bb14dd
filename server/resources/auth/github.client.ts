import type { Context } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { fetchUnmoved } from '#server/lib/network/fetch-unmoved.ts'
import { AppError } from '#shared/errors.ts'
import type { GithubIdentity } from './external.store.ts'

type Needs = Pick<Context, 'config' | 'options' | 'fetch' | 'log'>

export interface GithubUser extends GithubIdentity {
  readonly name: string
  /** The primary address if GitHub has verified it, else ''. */
  readonly email: string
}

/** Trades the code of a callback for the user behind it. */
export async function fetchGithubUser(ctx: Needs, code: string): Promise<GithubUser> {
  const { GitHubClientId, GitHubClientSecret } = ctx.options()
  const granted = objectOf(
    await ask(ctx, `${ctx.config.GITHUB_URL}/login/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ client_id: GitHubClientId, client_secret: GitHubClientSecret, code }),
    }),
  )
  const token = textOf(granted?.access_token)
  if (!token) throw new AppError('github.refused')
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'Switchyard',
  }
  const user = objectOf(await ask(ctx, `${ctx.config.GITHUB_API_URL}/user`, { headers }))
  const identity = identityOf(user)
  if (!identity) throw new AppError('github.refused')
  const email = await primaryEmail(ctx, headers)
  return { ...identity, name: textOf(user?.name) ?? '', email }
}

function identityOf(user: JsonObject | undefined): GithubIdentity | null {
  const id = user?.id
  const login = textOf(user?.login)
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && login ? { id: String(id), login } : null
}

/** Without an address the login still works, so failing here fails nothing. */
async function primaryEmail(ctx: Needs, headers: Record<string, string>): Promise<string> {
  const answer = await ask(ctx, `${ctx.config.GITHUB_API_URL}/user/emails`, { headers }).catch(() => [])
  const primary = arrayOf(answer)
    .map(objectOf)
    .find((email) => email?.primary === true && email.verified === true)
  return textOf(primary?.email)?.toLowerCase() ?? ''
}

async function ask({ fetch, log }: Needs, url: string, init: RequestInit): Promise<unknown> {
  try {
    const answer = await fetchUnmoved(fetch, url, { ...init, signal: AbortSignal.timeout(5000) })
    if (answer.status >= 500) throw new Error(`GitHub answered ${answer.status}`)
    return await boundedJson(answer)
  } catch (cause) {
    log.warn('GitHub cannot be reached', { cause })
    throw new AppError('github.unreachable', {}, { cause })
  }
}
