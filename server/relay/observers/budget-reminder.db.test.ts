import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { api } from '#shared/api/all.ts'

let mailbox: MailServer
let scene: RelayScene

beforeAll(async () => {
  mailbox = await startMailServer()
  scene = await startRelayScene()
  await setOptions(scene.app, { ...mailbox.options, PreConsumedQuota: '1' })
  const { db } = scene.app.ctx.database
  await db.updateTable('users').set({ email: 'ann@example.com' }).where('id', '=', scene.userId).execute()
  scene.app.ctx.changes.emit({ topic: 'user', id: scene.userId })
  await scene.channel(chatAnswer('hello', { prompt_tokens: 60, completion_tokens: 10 }))
})
afterAll(async () => {
  await scene.stop()
  await mailbox.stop()
})

test('the owner of a token is informed by e-mail once at 80 % and once at 100 % of its budget', async () => {
  await scene.user.call(api.tokens.update, { id: scene.tokenId, budget: 1000 })
  // 100 each.
  const ask = async () => expect((await scene.chat({ max_tokens: 10 })).status).toBe(200)
  for (let at = 0; at < 7; at += 1) await ask()
  expect(mailbox.inbox).toHaveLength(0)
  await ask()
  const first = await mailbox.next()
  const [warning] = await scene.user.call(api.usage.warnings, {})
  expect(warning).toMatchObject({ kind: 'token', id: scene.tokenId })
  expect(Math.abs((warning?.at ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  expect(first.to).toEqual(['ann@example.com'])
  expect(first.body).toContain('begins anew')
  await ask()
  await ask()
  await mailbox.next()
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(402)
  expect(mailbox.inbox).toHaveLength(2)
  expect(await scene.user.call(api.usage.warnings, {})).toEqual(warning ? [warning] : [])
  await scene.user.call(api.tokens.update, { id: scene.tokenId, budget: 1200 })
  await ask()
  await ask()
  expect(mailbox.inbox).toHaveLength(2)
})

test('a warning of a period that is over is not shown, and nobody counts as warned who could not be reached', async () => {
  const later = { ...scene.app.ctx, clock: () => Date.now() + 60 * 86_400_000 }
  const { warnings } = await import('#server/resources/usage/warnings.ts')
  const actor = { id: scene.userId, role: 1 } as Parameters<typeof warnings>[1]
  expect(await warnings(scene.app.ctx, actor, { scope: 'self' })).toHaveLength(1)
  expect(await warnings(later, actor, { scope: 'self' })).toEqual([])
  const { db } = scene.app.ctx.database
  const key = `budget:token:${scene.tokenId}:80`
  const { value } = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirstOrThrow()
  await db
    .updateTable('meta')
    .set({ value: value.replace(/ .*/, ' 0') })
    .where('key', 'like', 'budget:token:%')
    .execute()
  expect(await scene.user.call(api.usage.warnings, {})).toEqual([])
})

test('warnings of everybody are refused in words that fit', async () => {
  const { success, message } = await scene.user.raw(api.usage.warnings, { scope: 'all' })
  expect(success).toBeFalse()
  expect(message).toBe('warnings are of one account or team: scope must be self or team:<id>')
})
