import { authApi } from '#shared/api/auth.ts'
import { call } from '#web/lib/api.ts'

/** Leaves for the login provider, for a login or a binding. */
export async function openOidc(): Promise<void> {
  const { url } = await call(authApi.oidcStart)
  window.location.assign(url)
}
