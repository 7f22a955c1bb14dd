import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { deltaFrame, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const text = 'The council met in the morning to discuss the new bridge, and nobody agreed on where to put it. '.repeat(
  50,
)

/** What a stream costs that is left when all of it has come but its report. */
async function left(model: string, named: string, max_tokens: number): Promise<number> {
  await scene.option('ModelRatio', `{"gpt-4o": 1, "${model}": 1}`)
  await scene.option('CompletionRatio', `{"gpt-4o": 1, "${model}": 1}`)
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const usage = { input_tokens: 10, output_tokens: 1 }
  await scene.channel(
    eventStream(
      event('message_start', { message: { id: 'm', role: 'assistant', model: named, content: [], usage } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      60_000,
    ),
    { type: 14, models: model, ...(model === named ? {} : { model_mapping: JSON.stringify({ [model]: named }) }) },
  )
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const body = { model, max_tokens, stream: true, messages: [{ role: 'user', content: 'hi' }] }
    const answer = await scene.post('/v1/messages', body, { signal: leaving.signal })
    expect(answer.status).toBe(200)
    let seen = ''
    for await (const piece of answer.body ?? []) {
      seen += new TextDecoder().decode(piece)
      if (seen.includes('put it')) break
    }
    leaving.abort()
  })
  return -bill.user - 10
}

test.each([
  ['claude-opus-4-8', 'claude-opus-4-8'],
  ['our-best', 'claude-opus-4-8'],
])('a stream of %s that is left before its report costs as many tokens as Claude makes of it', async (model, named) => {
  const tokens = await left(model, named, 5000)
  expect(tokens).toBeGreaterThan(text.length / 3)
  expect(tokens).toBeLessThan(text.length / 2.3)
})

test('but no more than it might have written', async () => {
  expect(await left('claude-opus-4-8', 'claude-opus-4-8', 1500)).toBe(1500)
})

test('its prompt is counted likewise where the vendor says nothing of it', async () => {
  const model = 'anthropic/claude-opus-4.8'
  await scene.option('ModelRatio', `{"gpt-4o": 1, "${model}": 1}`)
  await scene.channel(eventStream(deltaFrame('well'), 60_000), { type: 20, models: model })
  const content = 'Nobody agreed on where to put the new bridge, so the council met again in the afternoon. '.repeat(50)
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const body = { model, max_tokens: 500, stream: true, messages: [{ role: 'user', content }] }
    const answer = await scene.chat(body, { signal: leaving.signal })
    expect(answer.status).toBe(200)
    await answer.body?.getReader().read()
    leaving.abort()
  })
  expect(bill.rows[0]?.prompt_tokens).toBeGreaterThan(content.length / 3)
  expect(bill.rows[0]?.prompt_tokens).toBeLessThan(content.length / 2.3)
})
