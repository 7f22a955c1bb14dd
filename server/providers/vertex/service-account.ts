import { createSign } from 'node:crypto'
import { faultOfKind } from '#server/dialects/fault.ts'
import { numberOf, objectOf, parseObject, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { type Target, type Tools, UpstreamFault } from '#server/providers/provider.ts'

/** What a key of this type says: the JSON of a service account. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly project: string
}

const refused = (why: string): UpstreamFault => new UpstreamFault(faultOfKind('credentials', why))

export function serviceAccountOf(key: string): ServiceAccount {
  const { client_email, private_key, project_id } = parseObject(key)
  const [email, privateKey, project] = [textOf(client_email), textOf(private_key), textOf(project_id)]
  if (!email || !privateKey || !project)
    throw refused('The key must be the JSON of a service account, with client_email, private_key and project_id.')
  return { email, privateKey, project }
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
export const googleTokenUrl = 'https://oauth2.googleapis.com/token'
const lifeSeconds = 3600
/** A token about to expire is not used any more. */
const marginMs = 60_000
const timeoutMs = 30_000

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function assertionOf({ email, privateKey }: ServiceAccount, audience: string, nowMs: number): string {
  const issued = Math.floor(nowMs / 1000)
  const claims = { iss: email, scope, aud: audience, iat: issued, exp: issued + lifeSeconds }
  const text = `${base64Url({ alg: 'RS256', typ: 'JWT' })}.${base64Url(claims)}`
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  } catch {
    throw refused('The private key of the service account cannot be read.')
  }
}

interface AccessToken {
  readonly token: string
  readonly expires: number
}

const tokens = new Map<string, AccessToken>()
const exchanges = new Map<string, Promise<AccessToken>>()

async function exchange(target: Pick<Target, 'key'>, url: string, tools: Tools): Promise<AccessToken> {
  const assertion = assertionOf(serviceAccountOf(target.key), googleTokenUrl, tools.now())
  const response = await tools.fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    // Others may wait for the same token: one of them leaving must not take it from them.
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = objectOf(await boundedJson(response)) ?? {}
  const token = textOf(body.access_token)
  const why = textOf(body.error_description) ?? textOf(body.error) ?? String(response.status)
  const words = `Google gave no access token for this service account: ${why}`
  if (response.status === 429 || response.status >= 500) throw new UpstreamFault(faultOfKind('overloaded', words))
  if (!response.ok || token === undefined) throw refused(words)
  return { token, expires: tools.now() + (numberOf(body.expires_in) ?? lifeSeconds) * 1000 }
}

/** The access token of a service account; requests that need one at the same moment share one exchange. */
export async function accessToken(target: Pick<Target, 'key'>, url: string, tools: Tools): Promise<string> {
  const name = `${url} ${target.key}`
  const known = tokens.get(name)
  if (known && known.expires - marginMs > tools.now()) return known.token
  let running = exchanges.get(name)
  if (!running) {
    running = exchange(target, url, tools).finally(() => exchanges.delete(name))
    exchanges.set(name, running)
  }
  const fresh = await running
  tokens.set(name, fresh)
  return fresh.token
}

/** True when there was a token to forget. */
export const forgetToken = (target: Pick<Target, 'key'>, url: string): boolean => tokens.delete(`${url} ${target.key}`)
