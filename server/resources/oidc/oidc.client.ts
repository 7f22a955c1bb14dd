import * as oidc from 'openid-client'
import type { Context } from '#server/context.ts'
import { type JsonObject, objectOf } from '#server/lib/json.ts'
import { AppError } from '#shared/errors.ts'

type Needs = Pick<Context, 'options' | 'log' | 'clock'>

const timeoutSeconds = 5
const rememberedMs = 10 * 60_000

/** What the way back is checked against. */
export interface Journey {
  readonly verifier: string
  readonly nonce: string
  readonly redirectUri: string
}

interface Remembered {
  readonly of: string
  readonly until: number
  readonly provider: oidc.Configuration
}

let remembered: Remembered | null = null

/** Without a word from the provider, the standard says `client_secret_basic`. */
const withSecret =
  (secret: string): oidc.ClientAuth =>
  (provider, ...rest) => {
    const takesPost = provider.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const show = takesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
    return show(provider, ...rest)
  }

const isOtherName = (error: unknown): boolean =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/** The provider's own description of itself, read again after a while and when the options change. */
async function discover(ctx: Needs): Promise<oidc.Configuration> {
  const { OIDCIssuer: issuer, OIDCClientId: id, OIDCClientSecret: secret } = ctx.options()
  const of = JSON.stringify([issuer, id, secret])
  if (remembered?.of === of && remembered.until > ctx.clock()) return remembered.provider
  // Without this the signature is taken on trust, as it came over TLS.
  const execute = [oidc.enableNonRepudiationChecks]
  if (issuer.startsWith('http://')) execute.push(oidc.allowInsecureRequests)
  const auth = secret === '' ? oidc.None() : withSecret(secret)
  const options = { execute, timeout: timeoutSeconds }
  try {
    const describe = (name: string) => oidc.discovery(new URL(name), id, secret || undefined, auth, options)
    // Some end their own name with a slash, which no address among the options does.
    const provider = await describe(issuer).catch((error) => {
      if (isOtherName(error)) return describe(`${issuer}/`)
      throw error
    })
    remembered = { of, until: ctx.clock() + rememberedMs, provider }
    return provider
  } catch (cause) {
    ctx.log.warn('the login provider cannot be reached', { issuer, cause })
    throw new AppError('oidc.unreachable', {}, { cause })
  }
}

/** Where the browser is sent, and what to remember until it comes back. */
export async function beginJourney(
  ctx: Needs,
  state: string,
  redirectUri: string,
): Promise<{ url: string; journey: Journey }> {
  const provider = await discover(ctx)
  const verifier = oidc.randomPKCECodeVerifier()
  const nonce = oidc.randomNonce()
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: ctx.options().OIDCScopes || 'openid',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  return { url: url.href, journey: { verifier, nonce, redirectUri } }
}

export interface Claims extends JsonObject {
  readonly iss: string
  readonly sub: string
}

/** What is signed wins over what is merely fetched. That an address is verified says nothing of another one. */
function together(signed: JsonObject, fetched: JsonObject): JsonObject {
  const { email_verified, ...rest } = fetched
  const isSame = signed.email === undefined || signed.email === fetched.email
  return { ...(isSame ? fetched : rest), ...signed }
}

/** Trades the code for who came. Issuer, audience, nonce, time and signature are checked on the way. */
export async function endJourney(ctx: Needs, journey: Journey, state: string, query: string): Promise<Claims> {
  const provider = await discover(ctx)
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${journey.redirectUri}${query}`), {
      pkceCodeVerifier: journey.verifier,
      expectedNonce: journey.nonce,
      expectedState: state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims?.sub || claims.sub.includes('\0')) throw new Error('the provider sent no identity')
    const more = provider.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : {}
    return { ...together(claims, objectOf(more) ?? {}), iss: claims.iss, sub: claims.sub }
  } catch (cause) {
    ctx.log.warn('a login by OpenID Connect was refused', { cause })
    throw new AppError('oidc.refused', {}, { cause })
  }
}
