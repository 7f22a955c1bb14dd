import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { toFile } from 'openai'
import { epochSeconds } from '#server/context.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import { type BatchScene, chatLine, startBatchScene } from '#server/testing/batch-scene.ts'
import { longestStall } from '#server/testing/longest-stall.ts'
import { startingQuota } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

/** Nobody waits longer for what one caller sends. */
const waitMost = 250

let on: BatchScene
beforeAll(async () => {
  on = await startBatchScene()
  await on.fresh()
})
beforeEach(() => balance(startingQuota))
afterAll(() => on.stop())

const balance = (quota: number) => on.scene.root.call(api.users.update, { id: on.scene.userId, quota })

async function asked(path: string, body: unknown): Promise<{ status: number; code: string; stallMs: number }> {
  const text = JSON.stringify(body)
  const { result, stallMs } = await longestStall(async () => {
    const answer = await fetch(on.scene.app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${on.scene.key}`, 'content-type': 'application/json' },
      body: text,
    })
    return { status: answer.status, said: await answer.text() }
  })
  return { status: result.status, code: /"code":\s*"(\w+)"/.exec(result.said)?.[1] ?? '', stallMs }
}

/** A file of OpenAI's kind that the channel keeps for the scene's user. */
async function ownFile(id: string): Promise<void> {
  const { ctx } = on.scene.app
  const { id: channel_id } = await ctx.database.db
    .selectFrom('channels')
    .select('id')
    .where('type', '=', 1)
    .executeTakeFirstOrThrow()
  const thing = { userId: on.scene.userId, kind: 'file', id, now: epochSeconds(ctx), days: 1 } as const
  await keepState(ctx.database.db, [stateRow(thing, { channel_id })])
}

describe("a batch in Google's words with 8,000 lines", () => {
  const line = { request: { contents: [{ role: 'user', parts: [{ text: 'a' }] }] } }
  const batchOf = (lines: number) => ({
    batch: { input_config: { requests: { requests: Array.from({ length: lines }, () => line) } } },
  })

  test.each([0, startingQuota])('keeps nobody waiting on a balance of %d', async (quota) => {
    await balance(quota)
    const { status, stallMs } = await asked('/v1beta/models/nobodys:batchGenerateContent', batchOf(8000))
    expect(status).toBe(quota === 0 ? 402 : 404)
    expect(stallMs).toBeLessThan(waitMost)
  })

  test('is refused for its lines before anything else when they are too many', async () => {
    const { status, stallMs } = await asked('/v1beta/models/nobodys:batchGenerateContent', batchOf(100_001))
    expect(status).toBe(400)
    expect(stallMs).toBeLessThan(4 * waitMost)
  })
})

describe('the order of a video', () => {
  const order = (files: readonly string[]) => ({
    model: 'sora-2',
    prompt: 'a',
    pictures: files.map((file_id) => ({ file_id })),
  })

  test('with 78,000 references to one file keeps nobody waiting', async () => {
    await ownFile('file-own')
    const { status, stallMs } = await asked('/v1/videos', order(Array.from({ length: 78_000 }, () => 'file-own')))
    expect(status).toBeLessThan(500)
    expect(stallMs).toBeLessThan(waitMost)
  })

  test('may name sixteen files and no more', async () => {
    const files = Array.from({ length: 17 }, (_, n) => `file-${n}`)
    for (const file of files) await ownFile(file)
    expect(await asked('/v1/videos', order(files))).toMatchObject({ status: 400, code: 'too_many_ids' })
    expect((await asked('/v1/videos', order(files.slice(1)))).code).not.toBe('too_many_ids')
  })
})

describe('a chat with many ids', () => {
  const chat = (ids: number) => ({
    model: 'gpt-4o',
    messages: [
      {
        role: 'user',
        content: Array.from({ length: ids }, (_, n) => ({ file_id: `file-${n}` })),
      },
    ],
  })

  test('is refused where they are 60,000, and keeps nobody waiting', async () => {
    const { status, stallMs } = await asked('/v1/chat/completions', chat(60_000))
    expect(status).toBe(400)
    expect(stallMs).toBeLessThan(waitMost)
  })

  test('is looked up while they are 500', async () => {
    expect(await asked('/v1/chat/completions', chat(501))).toMatchObject({ status: 400, code: 'too_many_ids' })
    expect(await asked('/v1/chat/completions', chat(500))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is not looked up for who has nothing', async () => {
    await balance(0)
    expect((await asked('/v1/chat/completions', chat(500))).status).toBe(402)
  })
})

describe('a batch of OpenAI that cannot be paid', () => {
  const fileOf = async (lines: readonly string[]) =>
    (
      await on.own.openai.files.create({
        file: await toFile(Buffer.from(lines.join('\n')), 'b.jsonl'),
        purpose: 'batch',
      })
    ).id
  const batch = (input_file_id: string) => ({
    input_file_id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })

  test('is not fetched for who has nothing', async () => {
    const file = await fileOf([JSON.stringify(chatLine('a'))])
    await balance(0)
    const before = on.vendor().seen.length
    expect((await asked('/v1/batches', batch(file))).status).toBe(402)
    expect(on.vendor().seen).toHaveLength(before)
  })

  test('is measured no further than it can be paid, and takes nothing', async () => {
    const file = await fileOf([JSON.stringify(chatLine('a')), JSON.stringify(chatLine('b')), 'no line at all'])
    await balance(60)
    expect((await asked('/v1/batches', batch(file))).status).toBe(402)
    expect(await on.scene.books()).toMatchObject({ userQuota: 60, holds: 0 })
    await balance(startingQuota)
    expect((await asked('/v1/batches', batch(file))).status).toBe(400)
  })
})
