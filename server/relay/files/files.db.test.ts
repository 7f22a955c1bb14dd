import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { toFile as anthropicFile } from '@anthropic-ai/sdk'
import { toFile } from 'openai'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { type FilingVendor, startFilingVendor } from '#server/testing/filing/filing-vendor.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: FilingVendor
let own: SdkClients
let second: SdkClients
let strangers: SdkClients
let stranger: string
beforeAll(async () => {
  scene = await startRelayScene()
  const other = await scene.user.call(api.tokens.create, { name: 'second', remain_quota: 1000 })
  stranger = await strangerKey(scene)
  own = sdkClients(scene.app.url, scene.key)
  second = sdkClients(scene.app.url, `sk-${other.key}`)
  strangers = sdkClients(scene.app.url, stranger)
})
beforeEach(async () => {
  vendor = startFilingVendor()
  for (const [type, models] of [
    [1, 'gpt-4o'],
    [14, 'claude-sonnet-4-5'],
    [24, 'gemini-2.5-flash'],
  ] as const)
    await scene.channel(() => new Response(), { type, models, base_url: vendor.url, name: `of-${type}` })
})
afterEach(async () => {
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
  await vendor.stop()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const refused = async (work: PromiseLike<unknown>, status: number) => {
  const error = await work.then(
    () => null,
    (cause) => cause,
  )
  expect(error).toMatchObject({ status })
}
const unknown = (work: PromiseLike<unknown>) => refused(work, 404)

describe('files of OpenAI', () => {
  test('are made, read, listed, fetched and deleted by their user, for nothing', async () => {
    const bill = await scene.bill(async () => {
      const { files } = own.openai
      const file = await files.create({ file: await toFile(Buffer.from('hello'), 'a.txt'), purpose: 'user_data' })
      expect(file).toMatchObject({ bytes: 5, filename: 'a.txt', purpose: 'user_data' })
      expect(await second.openai.files.retrieve(file.id)).toMatchObject({ id: file.id })
      expect(await (await files.content(file.id)).text()).toBe('hello')
      expect((await files.list()).data.map(({ id }) => id)).toEqual([file.id])
      expect((await files.list({ purpose: 'batch' })).data).toEqual([])
      expect(await files.delete(file.id)).toMatchObject({ deleted: true })
      await unknown(files.retrieve(file.id))
      expect((await files.list()).data).toEqual([])
    })
    expectUntouched(bill)
  })

  test('are listed newest first, and those of one second by their ids', async () => {
    const { files } = own.openai
    const make = async () => files.create({ file: await toFile(Buffer.from('x'), 'a'), purpose: 'user_data' })
    const ids = [(await make()).id, (await make()).id, (await make()).id]
    expect((await files.list()).data.map(({ id }) => id)).toEqual(ids.toReversed())
    expect((await files.list({ order: 'asc' })).data.map(({ id }) => id)).toEqual(ids)
  })

  test('are unknown to anybody else, of whom the vendor is not asked', async () => {
    const file = await own.openai.files.create({ file: await toFile(Buffer.from('x'), 'a'), purpose: 'user_data' })
    const asked = vendor.seen.length
    await unknown(strangers.openai.files.retrieve(file.id))
    await unknown(strangers.openai.files.content(file.id))
    await unknown(strangers.openai.files.delete(file.id))
    expect((await strangers.openai.files.list()).data).toEqual([])
    const messages = [{ role: 'user' as const, content: [{ type: 'file' as const, file: { file_id: file.id } }] }]
    await unknown(strangers.openai.chat.completions.create({ model: 'gpt-4o', messages }))
    expect(vendor.seen).toHaveLength(asked)
  })

  test('are sent in parts too', async () => {
    const { uploads } = own.openai
    const upload = await uploads.create({ filename: 'p', bytes: 6, mime_type: 'text/plain', purpose: 'batch' })
    await unknown(strangers.openai.uploads.parts.create(upload.id, { data: await toFile(Buffer.from('x'), 'x') }))
    const one = await uploads.parts.create(upload.id, { data: await toFile(Buffer.from('abc'), '1') })
    const two = await uploads.parts.create(upload.id, { data: await toFile(Buffer.from('def'), '2') })
    const done = await uploads.complete(upload.id, { part_ids: [one.id, two.id] })
    expect(await (await own.openai.files.content(done.file?.id ?? '')).text()).toBe('abcdef')
  })

  test('that break off leave nothing behind', async () => {
    const leaving = new AbortController()
    const body = new ReadableStream({
      start: (to) =>
        to.enqueue(Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nxx')),
    })
    const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'multipart/form-data; boundary=b' }
    const init = { method: 'POST', headers, body, signal: leaving.signal }
    const sent = fetch(`${scene.app.url}/v1/files`, init).catch(() => 'left')
    await eventually(
      async () => vendor.seen.length,
      (count) => count === 1,
    )
    leaving.abort()
    expect(await sent).toBe('left')
    expect((await own.openai.files.list()).data).toEqual([])
  })

  test('over the limit are refused before they are read, encoded ones as well', async () => {
    const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'multipart/form-data; boundary=b' }
    const large = { ...headers, 'content-length': String(513 * 1024 * 1024) }
    const body = new ReadableStream({ pull: (to) => to.close() })
    const answer = await fetch(`${scene.app.url}/v1/files`, { method: 'POST', headers: large, body }).catch(() => null)
    expect([413, undefined]).toContain(answer?.status)
    const encoded = { ...headers, 'content-encoding': 'gzip' }
    const refused = await fetch(`${scene.app.url}/v1/files`, { method: 'POST', headers: encoded, body: 'x' })
    expect(refused.status).toBe(415)
    expect(vendor.seen).toEqual([])
  })

  test('are refused where no channel keeps them, and to who has no money', async () => {
    await scene.clear()
    const create = async (clients: SdkClients) =>
      clients.openai.files.create({ file: await toFile(Buffer.from('x'), 'a'), purpose: 'batch' })
    await unknown(create(own))
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    await refused(create(own), 402)
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  })
})

describe('files of Anthropic', () => {
  test('go to its channel when its clients send them, in its own words', async () => {
    const { files } = own.anthropic.beta
    const file = await files.upload({
      file: await anthropicFile(Buffer.from('hello'), 'a.txt', { type: 'text/plain' }),
    })
    expect(file).toMatchObject({ type: 'file', filename: 'a.txt', size_bytes: 5 })
    expect(await files.retrieveMetadata(file.id)).toMatchObject({ id: file.id })
    expect(await (await files.download(file.id)).text()).toBe('hello')
    expect((await files.list()).data.map(({ id }) => id)).toEqual([file.id])
    expect((await own.openai.files.list()).data).toEqual([])
    await unknown(strangers.anthropic.beta.files.retrieveMetadata(file.id))
    await files.delete(file.id)
    await unknown(files.retrieveMetadata(file.id))
    expect(vendor.seen.filter((each) => each.startsWith('POST'))).toEqual(['POST /v1/files'])
  })
})

describe('files of Google', () => {
  test('are sent by its protocol to addresses of the relay, and used by them', async () => {
    const { files } = own.google
    const content = 'x'.repeat(9 * 1024 * 1024)
    const file = await files.upload({ file: new Blob([content]), config: { mimeType: 'text/plain' } })
    const [name = ''] = vendor.files.keys()
    expect(file).toMatchObject({ name, uri: `${scene.app.url}/v1beta/${name}`, sizeBytes: String(content.length) })
    expect(await files.get({ name })).toMatchObject({ uri: file.uri ?? '' })
    const shown = await fetch(`${file.uri}:download?alt=media`, { headers: { 'x-goog-api-key': scene.key } })
    expect(await shown.text()).toBe(content)
    const page = await files.list()
    expect(page.page.map((each) => each.name)).toEqual([name])
    await unknown(strangers.google.files.get({ name }))
    expect((await strangers.google.files.list()).page).toEqual([])
    await files.delete({ name })
    await unknown(files.get({ name }))
  })

  const finalize = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' }
  async function begun(key: string): Promise<string> {
    const headers = {
      'x-goog-api-key': key,
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': '5',
      'x-goog-upload-header-content-type': 'text/plain',
    }
    const body = '{"file":{"display_name":"a"}}'
    const start = await fetch(`${scene.app.url}/upload/v1beta/files`, { method: 'POST', headers, body })
    return start.headers.get('x-goog-upload-url') ?? ''
  }

  test('are not gone on with for who is banned, or whose key has ended, since they began', async () => {
    const goOn = async (address: string) =>
      (await fetch(address, { method: 'POST', headers: finalize, body: 'hello' })).status
    const { root, user } = scene
    const { id, key } = await user.call(api.tokens.create, { name: 'brief', unlimited_quota: true })
    const [ofBanned, ofDisabled, ofDeleted] = [
      await begun(`sk-${key}`),
      await begun(`sk-${key}`),
      await begun(`sk-${key}`),
    ]
    await root.call(api.users.manage, { username: 'ann', action: 'disable' })
    expect(await goOn(ofBanned)).toBe(403)
    await root.call(api.users.manage, { username: 'ann', action: 'enable' })
    await user.call(api.auth.login, { username: 'ann', password: 'password-ann' })
    await user.call(api.tokens.update, { id, status: 2, status_only: true })
    expect(await goOn(ofDisabled)).toBe(401)
    await user.call(api.tokens.remove, { id })
    expect(await goOn(ofDeleted)).toBe(401)
    expect(await goOn(await begun(scene.key))).toBe(200)
  })

  test('are gone on with by their address alone, but not by anybody else’s key', async () => {
    const address = await begun(scene.key)
    expect(address).toStartWith(`${scene.app.url}/upload/v1beta/files?upload_id=`)
    const foreign = await fetch(address, {
      method: 'POST',
      headers: { ...finalize, 'x-goog-api-key': stranger },
      body: 'hello',
    })
    expect(foreign.status).toBe(404)
    const done = await fetch(address, { method: 'POST', headers: finalize, body: 'hello' })
    expect(done.headers.get('x-goog-upload-status')).toBe('final')
    const { file } = (await done.json()) as { file: { uri: string } }
    expect(file.uri).toStartWith(scene.app.url)
    const wrong = await fetch(`${scene.app.url}/upload/v1beta/files?upload_id=s1.x`, { method: 'POST', body: 'x' })
    expect(wrong.status).toBe(404)
  })

  test('go to the vendor under the address the vendor knows', async () => {
    const file = await own.google.files.upload({ file: new Blob(['hello']), config: { mimeType: 'text/plain' } })
    let sent = ''
    await scene.clear()
    const channel = await scene.channel(
      ({ raw }) => {
        sent = raw
        const content = { role: 'model', parts: [{ text: 'hello' }] }
        const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
        return Response.json({ candidates: [{ content, finishReason: 'STOP' }], usageMetadata })
      },
      { type: 24, models: 'gemini-2.5-flash', name: 'again' },
    )
    const { secrets, database } = scene.app.ctx
    const { db } = database
    const kept = db.selectFrom('channels').select('key_sealed').where('id', '=', channel.id)
    const key_hash = secrets.hash(secrets.open((await kept.executeTakeFirstOrThrow()).key_sealed))
    await db.updateTable('relay_state').set({ channel_id: channel.id, key_hash }).execute()
    const contents = [{ fileData: { fileUri: file.uri ?? '', mimeType: 'text/plain' } }, 'what is it?']
    await own.google.models.generateContent({ model: 'gemini-2.5-flash', contents })
    expect(sent).toContain('https://generativelanguage.googleapis.com/v1beta/files/')
    expect(sent).not.toContain(scene.app.url)
    // Google refuses fields it does not know, and these stand in the path.
    expect(Object.keys(JSON.parse(sent))).toEqual(['contents'])
    await unknown(strangers.google.models.generateContent({ model: 'gemini-2.5-flash', contents }))
  })
})
