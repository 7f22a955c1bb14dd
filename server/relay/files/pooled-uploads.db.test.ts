import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { toFile } from 'openai'
import { type FilingVendor, startFilingVendor } from '#server/testing/filing/filing-vendor.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: FilingVendor
let own: SdkClients
const asked: string[] = []

beforeAll(async () => {
  scene = await startRelayScene()
  own = sdkClients(scene.app.url, scene.key)
})
beforeEach(() => {
  vendor = startFilingVendor()
  asked.length = 0
})
afterEach(async () => {
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
  await vendor.stop()
})
afterAll(() => scene.stop())

/** Three keys of one channel, of which the last alone is good. */
async function poolOf(type: number, models: string) {
  const { id } = await scene.channel(() => new Response(), { type, models, base_url: vendor.url })
  await scene.root.call(api.channels.update, { id, key: 'pool-key-1\npool-key-2\npool-key-3', pool: true })
  vendor.instead = (_, __, key) => {
    if (key !== '') asked.push(key)
    if (key === '' || key === 'pool-key-3') return undefined
    return Response.json({ error: { message: `no good: ${key}`, type: 'authentication_error' } }, { status: 401 })
  }
}

const refusal = (work: PromiseLike<unknown>) =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )

describe('in a pool of keys whose first are dead', () => {
  test.each([5, 3_000_000])('a file of %i bytes goes with the next, and stays with it', async (size) => {
    await poolOf(1, 'gpt-4o')
    const text = 'x'.repeat(size)
    const upload = async () =>
      own.openai.files.create({ file: await toFile(Buffer.from(text), 'a.txt'), purpose: 'user_data' })
    const file = await upload()
    expect(file.bytes).toBe(size)
    expect(await (await own.openai.files.content(file.id)).text()).toBe(text)
    expect(asked).toEqual(['pool-key-1', 'pool-key-2', 'pool-key-3', 'pool-key-3'])
    await upload()
    expect(asked.at(-1)).toBe('pool-key-3')
  })

  test('a file that is too large to be kept for another try is refused without a word of the key, which rests', async () => {
    await poolOf(1, 'gpt-4o')
    const upload = async () =>
      own.openai.files.create(
        { file: await toFile(Buffer.alloc(20_000_000), 'a.bin'), purpose: 'user_data' },
        { maxRetries: 0 },
      )
    for (let turn = 0; turn < 4; turn += 1) {
      const error = await refusal(upload())
      if (!error) break
      expect(error.status).toBe(502)
      expect(error.message).not.toContain('pool-key')
    }
    expect([...vendor.files.values()].map(({ bytes }) => bytes.length)).toEqual([20_000_000])
  })

  test('files of Google and of Anthropic do too', async () => {
    await poolOf(24, 'gemini-2.5-flash')
    const config = { mimeType: 'text/plain' }
    expect((await own.google.files.upload({ file: new Blob(['hello']), config })).name).toContain('files/')
    await poolOf(14, 'claude-sonnet-4-5')
    const file = await toFile(Buffer.from('hello'), 'a.txt')
    expect((await own.anthropic.beta.files.upload({ file })).id).toContain('file_')
  })

  test('batches do too, and are followed and paid with the key that made them', async () => {
    await poolOf(14, 'gpt-4o')
    const params = { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user' as const, content: 'hi' }] }
    const bill = await scene.bill(async () => {
      const { id } = await own.anthropic.messages.batches.create({ requests: [{ custom_id: 'a', params }] })
      vendor.end(id, 'errored')
      expect((await own.anthropic.messages.batches.retrieve(id)).processing_status).toBe('ended')
    })
    expect([bill.user, bill.holds]).toEqual([-15, 0])
    expect(asked.slice(0, 3)).toEqual(['pool-key-1', 'pool-key-2', 'pool-key-3'])
    expect(asked.slice(3).every((key) => key === 'pool-key-3')).toBe(true)
  })
})

test('a body over the limit is refused with the limit', async () => {
  await scene.channel(() => new Response(), { type: 14, models: 'gpt-4o', base_url: vendor.url })
  const answer = await fetch(`${scene.app.url}/v1/messages/batches`, {
    method: 'POST',
    headers: { 'x-api-key': scene.key, 'anthropic-version': '2023-06-01' },
    body: Buffer.alloc(65 * 1024 * 1024, ' '),
  })
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('64 MB at most')])
})
