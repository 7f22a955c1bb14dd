import { authApi } from '#shared/api/auth.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import type { Status } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'

/** Opens GitHub's authorize window: for a binding with a proof of the account's owner, for a login without. */
export async function openGithub(status: Status, proof?: OwnerProof): Promise<void> {
  const state = await (proof ? call(authApi.oauthBind, proof) : call(authApi.oauthState))
  const address = new URL(status.github_authorize_url || 'https://github.com/login/oauth/authorize')
  address.searchParams.set('client_id', status.github_client_id)
  address.searchParams.set('state', state)
  address.searchParams.set('scope', 'user:email')
  const opened = window.open(address)
  if (opened) opened.opener = null
  else window.location.assign(address)
}
