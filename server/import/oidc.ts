/** What a program's settings say about its OpenID Connect provider. */
export interface OidcSettings {
  readonly enabled: string | undefined
  readonly name?: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** The address of the discovery document. */
  readonly wellKnown: string | undefined
}

const discovery = /\/\.well-known\/openid-configuration\/?$/

/** Subjects are unique at their issuer, which the address of its discovery document names; '' when there is none. */
export const issuerOf = ({ wellKnown = '' }: Pick<OidcSettings, 'wellKnown'>): string =>
  discovery.test(wellKnown.trim()) ? wellKnown.trim().replace(discovery, '') : ''

export const oidcIdOf = (issuer: string, subject: string): string =>
  issuer === '' || subject === '' ? '' : `${issuer}#${subject}`

/** The same settings under our names. */
export function oidcOptions(settings: OidcSettings): [string, string][] {
  const issuer = issuerOf(settings)
  const { enabled, name, clientId, clientSecret } = settings
  const known: [string, string | undefined][] = [
    ['OIDCEnabled', enabled],
    ['OIDCName', name],
    ['OIDCClientId', clientId],
    ['OIDCClientSecret', clientSecret],
    ['OIDCIssuer', issuer],
  ]
  return known.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
}
