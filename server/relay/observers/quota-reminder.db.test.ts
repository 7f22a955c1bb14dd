import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { api } from '#shared/api/all.ts'

let mailbox: MailServer
let scene: RelayScene

beforeAll(async () => {
  mailbox = await startMailServer()
  scene = await startRelayScene({ quota: 1100 })
  await setOptions(scene.app, {
    ...mailbox.options,
    ServerAddress: 'https://relay.example',
    QuotaRemindThreshold: '1000',
    PreConsumedQuota: '1',
  })
  const { db } = scene.app.ctx.database
  await db.updateTable('users').set({ email: 'ann@example.com' }).where('id', '=', scene.userId).execute()
  scene.app.ctx.changes.emit({ topic: 'user', id: scene.userId })
  // 5 + 4 × 10 = 45 each.
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
})
afterAll(async () => {
  await scene.stop()
  await mailbox.stop()
})

const ask = async () => expect((await scene.chat({ max_tokens: 10 })).status).toBe(200)
const setQuota = (quota: number) => scene.root.call(api.users.update, { id: scene.userId, quota })
const isForgotten = async () =>
  (await scene.app.ctx.database.db.selectFrom('meta').select('key').where('key', 'like', 'reminded:%').execute())
    .length === 0

test('a user is informed by e-mail once that the quota is about to be used up, however many requests run', async () => {
  await ask()
  await ask()
  expect(mailbox.inbox).toHaveLength(0)
  await Promise.all(Array.from({ length: 6 }, ask))
  const mail = await mailbox.next()
  expect(mail.to).toEqual(['ann@example.com'])
  expect(mail.body).toContain('about to be used up')
  expect(mail.body).toContain('https://relay.example/topup')
  await Promise.all(Array.from({ length: 4 }, ask))
  expect(mailbox.inbox).toHaveLength(1)
})

test('is informed again after a top-up has been used, and when nothing is left', async () => {
  await setQuota(1010)
  await eventually(isForgotten, (forgotten) => forgotten)
  await ask()
  expect((await mailbox.next()).body).toContain('about to be used up')
  await setQuota(2000)
  await eventually(isForgotten, (forgotten) => forgotten)
  await scene.option('ModelRatio', '{"gpt-4o": 60}')
  expect((await scene.chat({ max_tokens: 1 })).status).toBe(200)
  const { body } = await mailbox.next()
  expect(body).toContain('is used up')
  expect(mailbox.inbox).toHaveLength(3)
})
