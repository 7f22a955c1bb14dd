import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { parseRoute } from '#server/db/logs/route-record.ts'
import type { SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

const oneDollar = 500_000
const parallel = 200

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: oneDollar, tokenQuota: oneDollar })
})
afterAll(() => scene.stop())

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const asks: readonly Record<string, unknown>[] = [
  user([{ type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }]),
  user([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }]),
  user('no limit at all'),
  { ...user('think'), reasoning_effort: 'high' },
  { ...user('think long'), max_completion_tokens: 64_000 },
]

const longest = 128_000

/** A vendor that always says as much as it may, and finds as much in files as it can read of them. */
async function greedy({ body }: SeenRequest): Promise<Response> {
  await Bun.sleep(20)
  const limit = Number(body.max_completion_tokens ?? body.max_tokens ?? longest)
  const isOpen = JSON.stringify(body.messages).includes('pictures.example') || JSON.stringify(body).includes('pdf')
  return Response.json({
    id: 'c',
    model: 'gpt-5',
    choices: [{ index: 0, message: { role: 'assistant', content: 'much' }, finish_reason: 'length' }],
    usage: {
      prompt_tokens: isOpen ? 12_000 : 20,
      completion_tokens: limit,
      total_tokens: (isOpen ? 12_000 : 20) + limit,
    },
  })
}

test('200 parallel requests of all kinds on one dollar spend nothing beyond what was held', async () => {
  const channel = await scene.channel(greedy, { models: 'gpt-5' })
  const statuses = await Promise.all(
    Array.from({ length: parallel }, async (_, at) => {
      const response = await scene.chat({ model: 'gpt-5', ...asks[at % asks.length] })
      await response.text()
      return response.status
    }),
  )
  const { db } = scene.app.ctx.database
  const rows = await db.selectFrom('logs').select(['quota', 'route', 'detail']).where('request_id', '!=', '').execute()
  const charged = rows.filter(({ route }) => route !== '')
  const beyond = charged.reduce((sum, { quota, route }) => sum + Math.max(0, quota - parseRoute(route).reserve), 0)
  const shortfall = charged.filter(({ detail }) => detail.includes('shortfall'))
  expect(statuses.filter((status) => status === 200)).toHaveLength(channel.seen.length)
  expect(channel.seen.length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
  expect([beyond, shortfall]).toEqual([0, []])
  const { userQuota } = await scene.books()
  expect(userQuota).toBeGreaterThanOrEqual(0)
  expect(charged.reduce((sum, { quota }) => sum + quota, 0)).toBe(oneDollar - userQuota)
  expect(await reconcile(db)).toEqual([])
})
