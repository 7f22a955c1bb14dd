import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

/** An account of OpenAI that did not seal these thoughts. */
const otherAccount: Behaviour = (request) =>
  request.raw.includes('encrypted_content":"sealed')
    ? Response.json(
        {
          error: {
            message: 'The encrypted content seal...ed-0 could not be verified.',
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_encrypted_content',
          },
        },
        { status: 400 },
      )
    : newestOpenai(request)

test('a conversation goes on at another account of the vendor, without the thoughts that it cannot read', async () => {
  const model_mapping = '{"gpt-4o":"gpt-6-sol"}'
  const first = await scene.channel(newestOpenai, { model_mapping })
  const tools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }]
  const ask = (messages: object[]) =>
    scene.post('/v1/messages', { model: 'gpt-4o', max_tokens: 100, messages, tools, thinking: { type: 'adaptive' } })
  const question = { role: 'user', content: 'weather?' }
  const { content } = (await (await ask([question])).json()) as { content: { type: string; id?: string }[] }
  expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use'])
  await scene.root.call(api.channels.update, { id: first.id, status: 2 })
  const second = await scene.channel(otherAccount, { model_mapping })
  const result = { type: 'tool_result', tool_use_id: content[1]?.id, content: 'sunny' }
  const turns = [question, { role: 'assistant', content }, { role: 'user', content: [result] }]
  const bill = await scene.bill(async () => {
    const response = await ask(turns)
    expect(response.status, await response.text()).toBe(200)
  })
  expectCharge(bill, doubleCharge)
  expect(second.seen.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
  expect(second.seen[1]?.raw).not.toContain('sealed-')
  expect(second.seen[1]?.body.input).toMatchObject([
    { role: 'user' },
    { type: 'function_call', name: 'weather' },
    { type: 'function_call_output', output: 'sunny' },
  ])
})
