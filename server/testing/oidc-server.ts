import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type ClientAuthMethod } from 'oidc-provider'

export interface OidcPerson {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: readonly string[]
}

export interface OidcServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who signs in next. */
  person: OidcPerson
  /** Options that log in with this provider. */
  readonly options: Record<'OIDCIssuer' | 'OIDCClientId' | 'OIDCClientSecret' | 'OIDCEnabled' | 'OIDCName', string>
  stop(): Promise<void>
}

/** The real `oidc-provider` on a port of its own; whoever is sent to it signs in as `person`, without a page. */
export async function startOidcServer(
  redirectUris: readonly string[],
  clientAuthMethods: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'],
): Promise<OidcServer> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['switchyard', 'planted-client-secret']
  const server: OidcServer = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'someone' },
    options: {
      OIDCIssuer: issuer,
      OIDCClientId: clientId,
      OIDCClientSecret: clientSecret,
      OIDCEnabled: 'true',
      OIDCName: 'Company',
    },
    stop: () => closed(http),
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        token_endpoint_auth_method: clientAuthMethods[0],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for tests'] },
    clientAuthMethods,
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ ...server.person, sub: accountId }) }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (ctx) => {
      const { client, account } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: account?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()
  http.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return serve(request, response)
    const login = { accountId: server.person.sub, remember: false }
    await provider.interactionFinished(request, response, { login })
  })
  return server
}

const closed = (http: Server): Promise<void> =>
  new Promise((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
