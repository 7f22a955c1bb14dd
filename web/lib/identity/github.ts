import { authApi } from '#shared/api/auth.ts'
import type { Status } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'

/** Opens GitHub's authorize window, for a login or a binding. */
export async function openGithub(status: Status): Promise<void> {
  const state = await call(authApi.oauthState)
  const address = new URL(status.github_authorize_url || 'https://github.com/login/oauth/authorize')
  address.searchParams.set('client_id', status.github_client_id)
  address.searchParams.set('state', state)
  address.searchParams.set('scope', 'user:email')
  const opened = window.open(address)
  if (opened) opened.opener = null
  else window.location.assign(address)
}
