import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Behaviour, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'

const usage = { input_tokens: 3, output_tokens: 2 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage }
const frame = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const started = (index: number, id: string) =>
  frame({
    type: 'content_block_start',
    ...{ index, content_block: { type: 'tool_use', id, name: 'remove', input: {} } },
  })
const said = (index: number, partial_json: string) =>
  frame({ type: 'content_block_delta', ...{ index, delta: { type: 'input_json_delta', partial_json } } })
const ended = (index: number) => frame({ type: 'content_block_stop', ...{ index } })

/** Claude reaches the limit in the middle of its second call. */
const cutInACall: Behaviour = eventStream(
  frame({ type: 'message_start', ...{ message: { ...message, content: [], stop_reason: null } } }),
  ...[started(0, 'toolu_1'), said(0, '{"path":"/tmp/a"}'), ended(0)],
  ...[started(1, 'toolu_2'), said(1, '{"path":"/tm'), ended(1)],
  frame({ type: 'message_delta', ...{ delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage } }),
  frame({ type: 'message_stop' }),
)

const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`

/** A vendor of chat reaches it when it has named the tool alone. */
const cutBeforeArguments: Behaviour = eventStream(
  chunk({ delta: { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'remove', arguments: '' } }] } }),
  chunk({ delta: {}, finish_reason: 'length' }),
)

let scene: RelayScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startRelayScene()
  clients = sdkClients(scene.app.url, scene.key)
  await scene.channel(cutInACall, { type: 14 })
  await scene.channel(cutBeforeArguments, { type: 38, models: 'gpt-4o-mini' })
})
afterAll(() => scene.stop())

test('a call the limit cut in two is not shown to Google’s client as one without arguments', async () => {
  const chunks = await Array.fromAsync(
    await clients.google.models.generateContentStream({ model: 'gpt-4o', contents: 'clean up' }),
  )
  expect(chunks.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual([
    { id: 'toolu_1', name: 'remove', args: { path: '/tmp/a' } },
  ])
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('MAX_TOKENS' as never)
})

test('an item that was open when the limit came is incomplete', async () => {
  const response = await clients.openai.responses.stream({ model: 'gpt-4o', input: 'clean up' }).finalResponse()
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [
      { type: 'function_call', status: 'completed', arguments: '{"path":"/tmp/a"}' },
      { type: 'function_call', status: 'incomplete', arguments: '{"path":"/tm' },
    ],
  })
})

test('a call that was cut before its arguments is not one without any', async () => {
  const response = await clients.openai.responses.stream({ model: 'gpt-4o-mini', input: 'clean up' }).finalResponse()
  expect(response).toMatchObject({
    status: 'incomplete',
    output: [{ type: 'function_call', name: 'remove', status: 'incomplete', arguments: '' }],
  })
  const chunks = await Array.fromAsync(
    await clients.google.models.generateContentStream({ model: 'gpt-4o-mini', contents: 'clean up' }),
  )
  expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual([])
})
