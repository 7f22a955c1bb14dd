import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Ledger } from '#server/billing/ledger/ledger.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const gone = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe.skipIf(!onPostgres)('on a database shared by nodes', () => {
  let scene: RelayScene
  let real: Ledger
  beforeAll(async () => {
    scene = await startRelayScene()
    real = { ...scene.app.ctx.ledger }
  })
  afterEach(async () => {
    Object.assign(scene.app.ctx.ledger, real)
    await scene.clear()
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  })
  afterAll(() => scene.stop())

  const balance = async () => {
    const row = await scene.app.ctx.database.db
      .selectFrom('users')
      .select(['quota', 'used_quota', 'request_count'])
      .where('id', '=', scene.userId)
      .executeTakeFirstOrThrow()
    return { ...row }
  }
  const requestId = (response: Response) => response.headers.get('x-request-id') ?? ''

  test('who was refused is not charged: a commit whose answer was lost is given back', async () => {
    await scene.channel(chatAnswer('hello', usage))
    const before = await balance()
    let lost = false
    const settle: Ledger['settle'] = async (settlement) => {
      const result = await real.settle(settlement)
      if (lost) return result
      lost = true
      scene.app.time.now = (scene.app.time.now ?? Date.now()) + 10_000
      throw gone()
    }
    Object.assign(scene.app.ctx.ledger, { settle })
    const response = await scene.chat()
    expect(response.status).toBe(503)
    const after = await eventually(balance, ({ quota }) => quota === before.quota)
    expect(after).toEqual(before)
    const entries = await scene.app.ctx.database.db
      .selectFrom('ledger_entries')
      .select(['ref', 'amount'])
      .where('ref', 'like', `${requestId(response)}%`)
      .orderBy('id')
      .execute()
    expect(entries.map(({ amount }) => amount)).toEqual([-30, 30])
    const rows = await scene.app.ctx.database.db
      .selectFrom('logs')
      .select('quota')
      .where('request_id', '=', requestId(response))
      .orderBy('id')
      .execute()
    expect(rows.map(({ quota }) => quota)).toEqual([30, -30])
  })

  test.each([false, true])(
    'an answer whose hold was taken back is shown only if it can be paid (stream: %p)',
    async (stream) => {
      const { db } = scene.app.ctx.database
      await scene.channel(async (seen) => {
        // Meanwhile another node has taken the hold for that of a dead one, and the money was spent elsewhere.
        const holds = await db.selectFrom('holds').selectAll().execute()
        for (const hold of holds) {
          await real.settle({
            id: hold.id,
            userId: hold.user_id,
            tokenId: hold.token_id,
            teamId: 0,
            memberId: 0,
            charge: 0,
            channelId: 0,
            counts: false,
            log: null,
            at: 0,
            admittedAt: 0,
            corrections: [],
          })
        }
        await scene.root.call(api.users.update, { id: scene.userId, quota: 10 })
        const answer = stream ? chatStream(['hel', 'lo'], usage) : chatAnswer('hello', usage)
        return answer(seen)
      })
      const response = await scene.chat({ stream })
      const text = await response.text()
      expect(text).toContain('service_unavailable')
      await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000_000 })
      if (stream) expect(text).not.toContain('[DONE]')
      else expect(text).not.toContain('hello')
    },
  )
})
