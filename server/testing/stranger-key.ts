import { api } from '#shared/api/all.ts'
import type { RelayScene } from './relay-scene.ts'

/** The key of somebody else, to whom what the scene's user made is unknown. */
export async function strangerKey({ root, app }: RelayScene): Promise<string> {
  await root.call(api.users.create, { username: 'eve', password: 'password-eve' })
  const eve = app.client()
  await eve.call(api.auth.login, { username: 'eve', password: 'password-eve' })
  return `sk-${(await eve.call(api.tokens.create, { name: 'e', remain_quota: 100_000 })).key}`
}
