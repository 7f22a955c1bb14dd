import { faultOfKind } from '#server/dialects/fault.ts'
import { numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { type Target, type Tools, UpstreamFault } from '#server/providers/provider.ts'
import { baidu } from './dialect.ts'

interface AccessToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

const hour = 3_600_000
const timeoutMs = 30_000
const tokens = new Map<string, AccessToken>()
const exchanges = new Map<string, Promise<AccessToken>>()

const nameOf = (target: Target): string => `${target.baseUrl} ${target.key}`

async function exchange(target: Target, tools: Tools): Promise<AccessToken> {
  const [id = '', secret = ''] = target.key.split('|')
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const response = await tools.fetch(`${target.baseUrl}/oauth/2.0/token?${query}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    // Others may wait for the same token: one of them leaving must not take it from them.
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = objectOf(await boundedJson(response)) ?? {}
  const token = textOf(body.access_token)
  if (token === undefined) {
    const fault = response.ok && body.error === undefined ? undefined : baidu.decodeError(response.status, body)
    throw new UpstreamFault(fault ?? faultOfKind('credentials', 'Baidu gave no access token for this key.'))
  }
  return { token, expires: tools.now() + (numberOf(body.expires_in) ?? 0) * 1000 }
}

/** Requests that need a token at the same moment share one exchange. */
async function renew(target: Target, tools: Tools): Promise<AccessToken> {
  const name = nameOf(target)
  const running = exchanges.get(name)
  if (running) return running
  const started = exchange(target, tools).finally(() => exchanges.delete(name))
  exchanges.set(name, started)
  const fresh = await started
  tokens.set(name, fresh)
  return fresh
}

/** The token a key stands for. One that lives less than an hour is renewed while it is still used. */
export async function baiduToken(target: Target, tools: Tools): Promise<string> {
  const known = tokens.get(nameOf(target))
  const left = known ? known.expires - tools.now() : 0
  if (!known || left <= 0) return (await renew(target, tools)).token
  if (left < hour) void renew(target, tools).catch(() => {})
  return known.token
}

/** True when there was a token to forget. */
export function forgetBaiduToken(target: Target): boolean {
  return tokens.delete(nameOf(target))
}
