import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const hello = chatAnswer('hi', { prompt_tokens: 10, completion_tokens: 5 })
const charge = 30

describe.if(onPostgres)('while somebody keeps the rows of one account locked', () => {
  let scene: RelayScene
  let behave: Behaviour = hello
  let other: SignedIn
  let otherKey: string
  beforeAll(async () => {
    scene = await startRelayScene()
    await scene.channel((request) => behave(request))
    other = await signIn(scene.app)
    await scene.root.call(api.users.update, { id: other.userId, quota: 1_000_000 })
    otherKey = `sk-${(await other.call(api.tokens.create, { name: 'other', unlimited_quota: true })).key}`
  })
  afterEach(async () => {
    behave = hello
    await eventually(
      async () => (await scene.books()).holds,
      (holds) => holds === 0,
    )
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  })
  afterAll(() => scene.stop())

  let unlock = async () => {}
  afterEach(() => unlock())
  const lock = async (table: string, id: number) => {
    const client = await (scene.app.ctx.database as PostgresDatabase).pool.connect()
    await client.query('begin')
    await client.query(`select 1 from ${table} where id = $1 for update`, [id])
    unlock = async () => {
      unlock = async () => {}
      await client.query('rollback')
      client.release()
    }
  }
  const chatOfOther = () => scene.chat({}, { headers: { authorization: `Bearer ${otherKey}` } })
  /** The lock is not given back before they are. */
  const expectOthersServed = async () => {
    for (const { status } of await Promise.all(Array.from({ length: 10 }, chatOfOther))) expect(status).toBe(200)
  }

  for (const table of ['users', 'tokens'] as const) {
    test(`others are answered at once, and who waits is served when they are free: ${table}`, async () => {
      await Promise.all([scene.chat(), chatOfOther()])
      await lock(table, table === 'users' ? scene.userId : scene.tokenId)
      const bill = await scene.bill(async () => {
        const waiting = [scene.chat(), scene.chat()]
        await expectOthersServed()
        await expectOthersServed()
        expect(await Promise.race([...waiting, Bun.sleep(0).then(() => 'waiting')])).toBe('waiting')
        await unlock()
        expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
      })
      expect(bill.user).toBe(-2 * charge)
      expect(bill.requests).toBe(2)
    })
  }

  test('an answer that is to be paid meanwhile is paid once', async () => {
    const asked = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    behave = async (request) => {
      asked.resolve()
      await mayEnd.promise
      return hello(request)
    }
    const bill = await scene.bill(async () => {
      const answer = scene.chat()
      await asked.promise
      behave = hello
      await lock('users', scene.userId)
      mayEnd.resolve()
      await expectOthersServed()
      await unlock()
      expect((await answer).status).toBe(200)
    })
    expect(bill.user).toBe(-charge)
    expect(bill.requests).toBe(1)
  })

  test('who waits too long is asked to come again, and pays nothing', async () => {
    await lock('users', scene.userId)
    const bill = await scene.bill(async () => {
      const answer = await scene.chat()
      await unlock()
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await answer.json()).toMatchObject({ error: { code: 'account_locked' } })
    })
    expect(bill.user).toBe(0)
    expect((await scene.chat()).status).toBe(200)
  })
})
