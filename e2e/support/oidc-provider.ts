import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface LoginProvider {
  readonly options: Record<string, string>
  stop(): Promise<void>
}

/** The real `oidc-provider` with its own pages: any login name is somebody. */
export async function startLoginProvider(returnTo: string): Promise<LoginProvider> {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'yard', client_secret: 'secret', redirect_uris: [`${returnTo}/oauth/oidc`] }],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for tests'] },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, name: `Company ${accountId}` }),
    }),
  })
  http.on('request', provider.callback())
  return {
    options: {
      OIDCIssuer: issuer,
      OIDCClientId: 'yard',
      OIDCClientSecret: 'secret',
      OIDCName: 'Company',
      OIDCEnabled: 'true',
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
