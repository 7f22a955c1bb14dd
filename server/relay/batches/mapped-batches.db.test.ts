import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type BatchScene, chatLine, refusedWith, startBatchScene } from '#server/testing/batch-scene.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'

let on: BatchScene
beforeAll(async () => {
  on = await startBatchScene()
})
beforeEach(() => on.fresh())
afterEach(() => on.clear())
afterAll(() => on.stop())

const lines = [chatLine('a', { model: 'mine' }), chatLine('b', { model: 'gpt-4o' }), chatLine('c', { model: 'mine' })]
const mapping = { models: 'mine,gpt-4o', model_mapping: '{"mine": "theirs"}', priority: 9 }
const filesAt = () => [...on.vendor().files.keys()]

describe('a batch with names of models that its channel has others for', () => {
  test('of OpenAI reads a file with the vendor’s names, and costs what the names of its lines do', async () => {
    await on.scene.channel(() => new Response(), { type: 1, base_url: on.vendor().url, ...mapping })
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "mine": 2}')
    await on.scene.option('CompletionRatio', '{"gpt-4o": 4, "mine": 4}')
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(lines)
      const [given = '', sent = ''] = filesAt()
      expect(
        on
          .vendor()
          .batches.get(id)
          ?.lines.map(({ model }) => model),
      ).toEqual(['theirs', 'gpt-4o', 'theirs'])
      expect(on.vendor().batches.get(id)?.shown.input_file_id).toBe(sent)
      expect((await on.own.openai.batches.retrieve(id)).input_file_id).toBe(given)
      expect((await on.own.openai.batches.list()).data[0]?.input_file_id).toBe(given)
      expect((await on.own.openai.files.list()).data.map((file) => file.id)).toEqual([given])
      on.vendor().end(id, 'completed')
      await on.lookAround()
      expect((await on.own.openai.batches.retrieve(id)).input_file_id).toBe(given)
      expect(filesAt()).not.toContain(sent)
    })
    // A line costs 15 at `gpt-4o` and twice as much at `mine`.
    const rows = bill.rows.map(({ model_name, quota }) => [model_name, quota])
    expect(rows.toSorted()).toEqual([
      ['gpt-4o', 15],
      ['mine', 60],
    ])
    expect(bill.user).toBe(-75)
  })

  test('is found again by the file that was made for it', async () => {
    await on.scene.channel(() => new Response(), { type: 1, base_url: on.vendor().url, ...mapping })
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "mine": 1}')
    await on.scene.option('CompletionRatio', '{"gpt-4o": 4, "mine": 4}')
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(lines.slice(0, 1))
      await on.forget(id)
      on.vendor().end(id, 'completed')
      await on.lookAround()
    })
    expectCharge(bill, 15, { model_name: 'mine' })
  })

  test('that is refused leaves no file behind', async () => {
    await on.scene.channel(() => new Response(), { type: 1, base_url: on.vendor().url, ...mapping })
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "mine": 1000000}')
    const bill = await on.scene.bill(async () => {
      const refused = await on.openaiBatch(lines).then(
        () => null,
        ({ status }: { status: number }) => status,
      )
      expect(refused).toBe(402)
      expect(filesAt()).toHaveLength(1)
    })
    expectUntouched(bill)
  })

  test('whose renamed file its vendor does not take reads no more of the file', async () => {
    await on.scene.channel(() => new Response(), { type: 1, base_url: on.vendor().url, ...mapping })
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "mine": 1}')
    let downloads = 0
    let isEnded = false
    on.vendor().instead = (method, path) => {
      if (method === 'GET' && path.endsWith('/content')) downloads += 1
      if (downloads < 2) return undefined
      if (method === 'POST') return Response.json({ error: { message: 'no more files' } }, { status: 400 })
      const begun = new TextEncoder().encode(`${JSON.stringify(lines[0])}\n`)
      return new Response(
        new ReadableStream({
          start: (to) => to.enqueue(begun),
          cancel() {
            isEnded = true
          },
        }),
      )
    }
    expect(await refusedWith(on.openaiBatch(lines))).toMatchObject({ status: 400 })
    expect(await eventually(async () => isEnded, Boolean)).toBe(true)
  })

  test('of Google asks the vendor’s model; a line of its file may not name one', async () => {
    await on.scene.channel(() => new Response(), { type: 24, base_url: on.vendor().url, ...mapping })
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "mine": 1}')
    await on.scene.option('CompletionRatio', '{"gpt-4o": 4, "mine": 4}')
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const bill = await on.scene.bill(async () => {
      const src = [{ contents, config: { maxOutputTokens: 20 } }]
      const { name = '' } = await on.own.google.batches.create({ model: 'mine', src })
      expect(on.vendor().batches.get(name)?.lines[0]?.model).toBe('theirs')
      on.vendor().end(name, 'SUCCEEDED')
      await on.lookAround()
      const line = JSON.stringify({ key: 'a', request: { model: 'models/mine', contents } })
      const config = { mimeType: 'application/jsonl' }
      const file = await on.own.google.files.upload({ file: new Blob([line]), config })
      const asked = on.own.google.batches.create({ model: 'mine', src: file.name ?? '' })
      expect(await asked.then(() => '', String)).toContain('names a model')
    })
    expectCharge(bill, 15, { model_name: 'mine' })
  })
})
