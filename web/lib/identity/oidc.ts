import { authApi } from '#shared/api/auth.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import { call } from '#web/lib/api.ts'

/** Leaves for the login provider: for a binding with a proof of the account's owner, for a login without. */
export async function openOidc(proof?: OwnerProof): Promise<void> {
  const { url } = await (proof ? call(authApi.oidcBind, proof) : call(authApi.oidcStart))
  window.location.assign(url)
}
