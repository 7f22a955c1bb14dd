import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeEach(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

describe('a relayed request', () => {
  test('is answered and billed by the usage the upstream reports', async () => {
    const upstream = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
    const response = await scene.chat()
    expect(response.status).toBe(200)
    expect(
      ((await response.json()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content,
    ).toBe('hello')
    const books = await scene.books()
    expect(books).toMatchObject({
      userQuota: startingQuota - 30,
      userUsed: 30,
      requests: 1,
      tokenRemain: startingQuota - 30,
      tokenUsed: 30,
      holds: 0,
    })
    expect(books.rows[0]).toMatchObject({
      quota: 30,
      prompt_tokens: 10,
      completion_tokens: 5,
      outcome: 'done',
      channel: upstream.id,
    })
    expect(upstream.seen[0]?.headers.get('authorization')).toBe('Bearer upstream-key-1')
  })

  test('streams byte for byte, asks for usage and hides the report the client did not ask for', async () => {
    const upstream = await scene.channel(chatStream(['he', 'llo'], { prompt_tokens: 10, completion_tokens: 5 }))
    const response = await scene.chat({ stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text).toContain('"content":"he"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text).not.toContain('"usage"')
    expect(upstream.seen[0]?.body.stream_options).toEqual({ include_usage: true })
    expect((await scene.books()).rows[0]).toMatchObject({ quota: 30, outcome: 'done', is_stream: 1 })
  })
})
