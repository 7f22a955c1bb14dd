import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type BatchScene, chatLine, onBatchScene } from '#server/testing/batch-scene.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'

let on: BatchScene
onBatchScene((started) => {
  on = started
})

const three = ['a', 'b', 'c'].map((id) => chatLine(id))
const request = (custom_id: string) => ({
  custom_id,
  params: { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user' as const, content: 'hi' }] },
})
const question = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], config: { maxOutputTokens: 20 } }
const isBeginning = (method: string, path: string) =>
  method === 'POST' && /\/batches$|:batchGenerateContent$/.test(path)
const failsWith = async (work: PromiseLike<unknown>) =>
  work.then(
    () => 0,
    (error: { status: number }) => error.status,
  )
const gemini = (displayName: string) =>
  on.own.google.batches.create({ model: 'gpt-4o', src: [question, question], config: { displayName } })

describe('a batch whose vendor said yes and whose node was killed before it wrote that down', () => {
  test('at OpenAI is found by its file, shown to its user and paid once', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      await on.forget(id)
      await on.lookAround()
      expect((await on.own.openai.batches.list()).data.map((batch) => batch.id)).toEqual([id])
      on.vendor().end(id, 'completed')
      await on.lookAround()
      await on.lookAround()
    })
    expectCharge(bill, 45)
  })

  test('at Anthropic stays held until it has ended, and is known by its lines then', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      // Another was made with the same key by somebody else.
      const body = JSON.stringify({ requests: [request('x'), request('y')] })
      const headers = { 'x-api-key': 'k' }
      const made = await fetch(`${on.vendor().url}/v1/messages/batches`, { method: 'POST', headers, body })
      const other = (await made.json()) as { id: string }
      const { id } = await batches.create({ requests: [request('a'), request('b')] })
      await on.forget(id, 2000)
      await on.lookAround()
      expect((await batches.list()).data).toEqual([])
      expect((await on.scene.books()).holds).toBe(1)
      on.vendor().end(other.id, 'errored')
      on.vendor().end(id, 'errored')
      await on.lookAround()
      expect((await batches.list()).data.map((batch) => batch.id)).toEqual([id])
    })
    expectCharge(bill, 30)
  })

  test('at Google is found by its name, its model and its lines', async () => {
    const bill = await on.scene.bill(async () => {
      const { name = '' } = await gemini('mine')
      await on.forget(name)
      await on.lookAround()
      on.vendor().end(name, 'SUCCEEDED')
      await on.lookAround()
      expect(String((await on.own.google.batches.get({ name })).state)).toBe('JOB_STATE_SUCCEEDED')
    })
    expectCharge(bill, 30)
  })

  test('that its vendor does not have is given back, but not before it had time to begin', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      await on.forget(id, 10)
      on.vendor().batches.clear()
      await on.lookAround()
      expect((await on.scene.books()).holds).toBe(1)
      await on.scene.app.ctx.database.db.updateTable('long_work').set({ created_at: 1 }).execute()
      await on.lookAround()
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test('that is given back takes nothing else of its user with it', async () => {
    const id = await on.openaiBatch(three)
    const { data: files } = await on.own.openai.files.list()
    await on.forget(id)
    on.vendor().batches.clear()
    await on.scene.app.ctx.database.db.updateTable('long_work').set({ created_at: 1 }).execute()
    await on.lookAround()
    expect((await on.own.openai.files.list()).data).toEqual(files)
    expect(files.length).toBeGreaterThan(0)
  })

  test('whose vendor cannot be asked is held for an hour', async () => {
    const bill = await on.scene.bill(async () => {
      await on.forget(await on.openaiBatch(three), 3000)
      on.vendor().instead = () => new Response('gone', { status: 500 })
      await on.lookAround()
      expect((await on.scene.books()).holds).toBe(1)
      await on.scene.app.ctx.database.db.updateTable('long_work').set({ created_at: 1 }).execute()
      await on.lookAround()
    })
    expectFree(bill, { outcome: 'failed' })
  })
})

describe('a batch whose vendor began it and whose answer was lost', () => {
  test('is found and shown at once', async () => {
    const bill = await on.scene.bill(async () => {
      on.vendor().loses = isBeginning
      const id = await on.openaiBatch(three)
      const { name = '' } = await gemini('mine')
      on.vendor().end(id, 'completed')
      on.vendor().end(name, 'SUCCEEDED')
      await on.lookAround()
    })
    expect([bill.user, bill.holds, bill.rows.length]).toEqual([-75, 0, 2])
  })

  test('is looked for as soon as that can be written, also when nobody could write it down', async () => {
    const { db } = on.scene.app.ctx.database
    const bill = await on.scene.bill(async () => {
      on.vendor().loses = async (method, path) => {
        if (isBeginning(method, path)) await sql`alter table long_work rename to long_work_away`.execute(db)
        return false
      }
      expect(await failsWith(on.openaiBatch(three))).toBeGreaterThanOrEqual(500)
      on.vendor().loses = () => false
      await sql`alter table long_work_away rename to long_work`.execute(db)
      const nobodys = () => db.selectFrom('long_work').select('id').where('node', '=', '').execute()
      await eventually(nobodys, (rows) => rows.length === 1)
      await db
        .updateTable('long_work')
        .set({ created_at: Math.floor(Date.now() / 1000) - 30 })
        .execute()
      await on.lookAround()
      on.vendor().end([...on.vendor().batches.keys()].at(-1) ?? '', 'completed')
      await on.lookAround()
    })
    expectCharge(bill, 45)
  })

  test('is found and paid also when its vendor was still beginning it as the answer was lost', async () => {
    const { db } = on.scene.app.ctx.database
    const bill = await on.scene.bill(async () => {
      on.vendor().instead = (method, path) => {
        if (!isBeginning(method, path)) return undefined
        // The answer breaks off before the batch is in the list.
        return new Response(new ReadableStream({ start: (to) => to.error(new Error('broken off')) }))
      }
      expect(await failsWith(on.openaiBatch(three))).toBe(502)
      expect((await on.scene.books()).holds).toBe(1)
      on.vendor().instead = null
      const [file = ''] = [...on.vendor().files.keys()]
      const body = JSON.stringify({ input_file_id: file, endpoint: '/v1/chat/completions' })
      await fetch(`${on.vendor().url}/v1/batches`, { method: 'POST', body })
      await db.updateTable('long_work').set({ created_at: sql`created_at - 30` }).execute()
      await on.lookAround()
      on.vendor().end([...on.vendor().batches.keys()].at(-1) ?? '', 'completed')
      await on.lookAround()
    })
    expectCharge(bill, 45)
  })

  test('at Anthropic fails, and is paid when its lines are known', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      on.vendor().loses = isBeginning
      expect(await failsWith(batches.create({ requests: [request('a')] }, { maxRetries: 0 }))).toBe(502)
      expect((await on.scene.books()).holds).toBe(1)
      on.vendor().end([...on.vendor().batches.keys()][0] ?? '', 'errored')
      await on.scene.app.ctx.database.db.updateTable('long_work').set({ created_at: 0 }).execute()
      await on.lookAround()
    })
    expectCharge(bill, 15)
  })

  test('and that it has not begun costs nothing and holds nothing', async () => {
    const bill = await on.scene.bill(async () => {
      on.vendor().instead = (method, path) =>
        isBeginning(method, path) ? new Response('', { status: 500 }) : undefined
      expect(
        await failsWith(on.own.anthropic.messages.batches.create({ requests: [request('a')] }, { maxRetries: 0 })),
      ).toBe(500)
    })
    expectFree(bill, { outcome: 'failed' })
  })
})
