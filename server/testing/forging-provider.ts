import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Server } from 'bun'

export interface ForgingProvider {
  readonly issuer: string
  /** Changes what the next identity says, or who signs it. */
  forge: { claims?: Record<string, unknown>; sign?: 'stranger' | 'nobody'; userinfo?: Record<string, unknown> }
  /** The nonce the last login was begun with. */
  nonce: string
  stop(): Promise<void>
}

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A provider that gives every code an identity, and sends the lies it is given: for what an honest one never sends. */
export function startForgingProvider(clientId: string, path = ''): ForgingProvider {
  const [own, stranger] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  if (!own || !stranger) throw new Error('no keys')
  const token = (key: KeyObject, claims: unknown, isSigned: boolean): string => {
    const text = `${b64({ alg: isSigned ? 'RS256' : 'none', kid: 'one' })}.${b64(claims)}`
    return `${text}.${isSigned ? createSign('RSA-SHA256').update(text).sign(key, 'base64url') : ''}`
  }
  const server: Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request): Response {
      const { pathname } = new URL(request.url)
      if (pathname === '/jwks')
        return Response.json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one' }] })
      if (pathname === '/userinfo')
        return Response.json({ sub: provider.forge.claims?.sub ?? 'forged', ...provider.forge.userinfo })
      if (pathname === '/token') {
        const now = Math.floor(Date.now() / 1000)
        const honest = { iss: issuer, aud: clientId, sub: 'forged', nonce: provider.nonce, iat: now, exp: now + 300 }
        const { claims = {}, sign } = provider.forge
        const key = sign === 'stranger' ? stranger.privateKey : own.privateKey
        const id_token = token(key, { ...honest, ...claims }, sign !== 'nobody')
        return Response.json({ access_token: 'x', token_type: 'Bearer', id_token })
      }
      return Response.json({
        issuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/jwks`,
        userinfo_endpoint: `${base}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    },
  })
  const base = `http://127.0.0.1:${server.port}`
  const issuer = `${base}${path}`
  const provider: ForgingProvider = { issuer, forge: {}, nonce: '', stop: () => server.stop(true) }
  return provider
}
