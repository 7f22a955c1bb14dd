import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type HistoryScene, historyScene } from '#server/testing/history-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

let scene: HistoryScene
beforeAll(async () => {
  scene = await historyScene()
})
afterAll(() => scene.app.stop())

test('administrators take back what they changed of their own account, a new name too', async () => {
  const admin = await signIn(scene.app, { role: 'admin', username: 'before' })
  await admin.call(api.account.update, { username: 'After' })
  await scene.undo(await scene.newest('user'), admin)
  expect(await admin.call(api.account.self, {})).toMatchObject({ username: 'before' })
  // The name that was given back is free again.
  await scene.root.call(api.users.create, { username: 'AFTER', password: 'pass-word-1' })
})

test('managers take back what they changed of a token of their team, and nothing that has to do with its key', async () => {
  const { app, root } = scene
  const team = await root.call(api.teams.create, { name: 'ours' })
  const { code } = await root.call(api.teams.invite, { id: team.id, role: 'member' })
  const member = await signIn(app, { role: 'admin' })
  await member.call(api.teams.join, { code })
  const { id } = await member.call(api.tokens.create, { name: 'ci', team_id: team.id })
  await root.call(api.tokens.update, { id, status: 2, status_only: true })
  await root.call(api.tokens.update, { id, name: 'renamed', rpm: 5 })
  await scene.undo(await scene.newest('token'))
  expect(await member.call(api.tokens.get, { id })).toMatchObject({ name: 'ci', rpm: 0, status: 2 })
  await member.call(api.tokens.rotate, { id, grace: 3600 })
  expect(await scene.refusal(await scene.newest('token'))).toContain('Only its owner')
  await member.call(api.tokens.remove, { id })
  expect(await scene.refusal(await scene.newest('token'))).toContain('Only its owner')
  const stranger = await signIn(app, { role: 'admin' })
  const other = await member.call(api.tokens.create, { name: 'more', team_id: team.id })
  await root.call(api.tokens.update, { id: other.id, status: 2, status_only: true })
  expect(await scene.refusal(await scene.newest('token'), stranger)).toContain('Only its owner')
})
