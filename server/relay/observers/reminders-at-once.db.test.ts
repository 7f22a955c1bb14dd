import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import {
  chatAnswer,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let mailbox: MailServer
let scene: RelayScene
let nodes: TestApp[]

beforeAll(async () => {
  mailbox = await startMailServer()
  scene = await startRelayScene()
  const { DATABASE_URL: databaseUrl } = scene.app.ctx.config
  nodes = onPostgres
    ? [scene.app, await startTestApp({ databaseUrl }), await startTestApp({ databaseUrl })]
    : [scene.app]
  const { db } = scene.app.ctx.database
  await db.updateTable('users').set({ email: 'ann@example.com' }).where('id', '=', scene.userId).execute()
  scene.app.ctx.changes.emit({ topic: 'user', id: scene.userId })
})
beforeEach(async () => {
  await setOptions(scene.app, { ...mailbox.options, PreConsumedQuota: '1', QuotaRemindThreshold: '0' })
  await ready()
})
afterEach(() => scene.clear())
afterAll(async () => {
  for (const node of nodes.slice(1)) await node.stop()
  await scene.stop()
  await mailbox.stop()
})

/** 100 each: 60 + 4 × 10. */
const answer = chatAnswer('hello', { prompt_tokens: 60, completion_tokens: 10 })

/** Every node knows of the last change of options, channels and accounts. */
async function ready(): Promise<void> {
  for (const node of nodes) await node.ctx.refreshOptions()
}

const askNode = (node: TestApp | undefined, body: object = {}) =>
  fetch(`${node?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10, ...body }),
  })

/** Many requests at one moment, over all nodes. */
async function askAtOnce(count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => askNode(nodes[at % nodes.length])))
  for (const each of answers) {
    expect(each.status).toBe(200)
    await each.text()
  }
}

const setQuota = (quota: number) => scene.root.call(api.users.update, { id: scene.userId, quota })
const mails = () => mailbox.inbox.length
const claims = async (like: string) =>
  (await scene.app.ctx.database.db.selectFrom('meta').selectAll().where('key', 'like', like).execute()).length

describe('a reminder of the quota', () => {
  test.each([1, 2, 3])('is sent once by requests that cross the threshold together (%i)', async () => {
    await scene.channel(answer)
    await setQuota(1_000_000)
    await eventually(
      () => claims('reminded:%'),
      (count) => count === 0,
    )
    await setOptions(scene.app, { QuotaRemindThreshold: '999000' })
    await ready()
    const before = mails()
    await askAtOnce(9)
    expect(mails()).toBe(before)
    await askAtOnce(12)
    await eventually(mails, (count) => count > before)
    await askAtOnce(6)
    expect(mails()).toBe(before + 1)
  })

  test('is sent when the threshold is crossed while a large request still runs', async () => {
    const answered = Promise.withResolvers<void>()
    const usage = { prompt_tokens: 60, completion_tokens: 10 }
    const slow = eventStream(deltaFrame('a'), answered.promise, finishFrame(), usageFrame(usage), doneFrame)
    await scene.channel([slow, answer])
    await setQuota(10_000)
    await eventually(
      () => claims('reminded:%'),
      (count) => count === 0,
    )
    await setOptions(scene.app, { QuotaRemindThreshold: '9750' })
    await ready()
    const before = mails()
    const running = await askNode(scene.app, { stream: true, max_tokens: 500 })
    for (let each = 0; each < 2; each += 1) await (await askNode(scene.app)).text()
    expect(await claims('reminded:%')).toBe(0)
    await (await askNode(scene.app)).text()
    await eventually(mails, (count) => count > before)
    answered.resolve()
    await running.text()
    await askAtOnce(3)
    expect(mails()).toBe(before + 1)
  })

  test('that could not be sent is sent later', async () => {
    await scene.channel(answer)
    await setQuota(1_000_000)
    await eventually(
      () => claims('reminded:%'),
      (count) => count === 0,
    )
    let refused = 0
    const socket = {
      open(connection: { end(): void }) {
        refused += 1
        connection.end()
      },
      data() {},
    }
    const broken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
    await setOptions(scene.app, { QuotaRemindThreshold: '999950', SMTPPort: String(broken.port) })
    await ready()
    const before = mails()
    await askAtOnce(3)
    await eventually(
      async () => refused > 0 && (await claims('reminded:%')) === 0,
      (isGivenUp) => isGivenUp,
    )
    broken.stop(true)
    await setOptions(scene.app, { SMTPPort: mailbox.options.SMTPPort })
    await ready()
    for (const node of nodes) node.time.now = Date.now() + 60_000
    await askAtOnce(3)
    await eventually(mails, (count) => count > before)
    for (const node of nodes) node.time.now = null
    expect(mails()).toBe(before + 1)
  })
})

describe('a reminder of a budget', () => {
  test('is sent once by requests that cross 80 % together', async () => {
    await scene.channel(answer)
    await setQuota(1_000_000)
    const used = (await scene.root.call(api.users.get, { id: scene.userId })).budget_used
    await scene.root.call(api.users.update, { id: scene.userId, budget: used + 10_000_000, budget_period: 'month' })
    const budget = Math.floor((used + 600) / 0.8)
    await scene.root.call(api.users.update, { id: scene.userId, budget })
    const before = mails()
    const most = Math.min(12, Math.floor((budget - used) / 100) - 1)
    await askAtOnce(most)
    await eventually(mails, (count) => count > before)
    expect(mails()).toBe(before + 1)
    expect(await claims('budget:user:%:80')).toBe(1)
    await scene.root.call(api.users.update, { id: scene.userId, budget: 0 })
  })
})
