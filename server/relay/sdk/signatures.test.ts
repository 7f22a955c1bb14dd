import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { type Behaviour, errorAnswer, eventStream, type SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { type Driver, drivers } from '#server/testing/sdk-drivers.ts'

let scene: RelayScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startRelayScene()
  clients = sdkClients(scene.app.url, scene.key)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const framed = (events: readonly { type: string }[]) =>
  events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)

const thinking = { type: 'thinking', thinking: 'Rome, I guess.', signature: 'Claude+proof/==' }
const redacted = { type: 'redacted_thinking', data: 'Claude+secret/==' }
const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } }
const claudeUsage = { input_tokens: 10, output_tokens: 5 }

function claudeStream(blocks: readonly object[], stop_reason: string): string[] {
  const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
  const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  const inside = (block: object, index: number) => {
    if (block === thinking)
      return [
        start(index, { type: 'thinking', thinking: '', signature: '' }),
        delta(index, { type: 'thinking_delta', thinking: 'Rome, ' }),
        delta(index, { type: 'thinking_delta', thinking: 'I guess.' }),
        delta(index, { type: 'signature_delta', signature: thinking.signature }),
      ]
    if (block !== toolUse) return [start(index, block)]
    return [
      start(index, { ...toolUse, input: {} }),
      delta(index, { type: 'input_json_delta', partial_json: '{"city":"Rome"}' }),
    ]
  }
  const opening = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: claudeUsage }
  return framed([
    { type: 'message_start', message: opening } as { type: string },
    ...blocks.flatMap((block, index) => [...inside(block, index), { type: 'content_block_stop', index }]),
    { type: 'message_delta', delta: { stop_reason }, usage: claudeUsage } as { type: string },
    { type: 'message_stop' },
  ])
}

/** Claude thinks, in part unseen, and calls a tool; then it accepts any result. */
const claude: Behaviour = (request) => {
  const isSecond = arrayOf(request.body.messages).length > 1
  const blocks = isSecond ? [{ type: 'text', text: 'done' }] : [thinking, redacted, toolUse]
  const stop_reason = isSecond ? 'end_turn' : 'tool_use'
  if (request.body.stream === true) return eventStream(...claudeStream(blocks, stop_reason))(request)
  return Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: blocks,
    stop_reason,
    usage: claudeUsage,
  })
}

const called = { functionCall: { name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'R2VtaW5pIHByb29m' }

const gemini: Behaviour = (request) => {
  const isSecond = arrayOf(request.body.contents).length > 1
  const parts = isSecond ? [{ text: 'done' }] : [{ text: 'Rome?', thought: true }, called]
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }
  const isStream = request.path.endsWith(':streamGenerateContent')
  return isStream ? eventStream(`data: ${JSON.stringify(answer)}\n\n`)(request) : Response.json(answer)
}

/** What the assistant's turn looked like when it came back to the vendor. */
function returned(request: SeenRequest | undefined): unknown[] {
  const turns = arrayOf(request?.body.messages ?? request?.body.contents).map((turn) => objectOf(turn) ?? {})
  const turn = turns.find((each) => each.role === 'assistant' || each.role === 'model')
  return [...arrayOf(turn?.content), ...arrayOf(turn?.parts)]
}

const table = Object.entries<Driver>(drivers).flatMap(([name, driver]) =>
  [false, true].map((stream) => [name, stream, driver] as const),
)

describe.each(table)('%s, streaming %p', (_, stream, driver) => {
  const loop = (model: string) => driver.toolLoop(clients, { model, stream, text: 'weather?' })

  test('gives Claude its thoughts back with their proofs, before the call they led to', async () => {
    const upstream = await scene.channel(claude, {
      type: 14,
      models: 'gpt-4o',
      model_mapping: '{"gpt-4o":"claude-sonnet-4-5"}',
    })
    await loop('gpt-4o')
    expect(upstream.seen).toHaveLength(2)
    expect(returned(upstream.seen[1])).toMatchObject([thinking, redacted, toolUse])
  })

  test('gives Gemini the proof of its call back', async () => {
    const upstream = await scene.channel(gemini, {
      type: 24,
      models: 'gpt-4o',
      model_mapping: '{"gpt-4o":"gemini-3-flash"}',
    })
    await loop('gpt-4o')
    const call = returned(upstream.seen[1]).find((part) => objectOf(part)?.functionCall)
    expect(call).toMatchObject(called)
  })

  test('does not give one vendor the proofs of the other', async () => {
    await scene.option('RetryTimes', 1)
    const failing = errorAnswer(500, { message: 'not today' })
    const first = await scene.channel([claude, failing], { type: 14, priority: 1 })
    const second = await scene.channel(gemini, { type: 24, name: 'second' })
    await loop('gpt-4o')
    expect(first.seen).toHaveLength(2)
    expect(second.seen).toHaveLength(1)
    const call = returned(second.seen[0]).find((part) => objectOf(part)?.functionCall)
    expect(call).toMatchObject({ functionCall: called.functionCall })
    const proofs = [thinking.signature, redacted.data].flatMap((proof) => [proof, btoa(proof)])
    for (const proof of proofs) expect(second.seen[0]?.raw).not.toContain(proof)
    expect(second.seen[0]?.raw).not.toContain('anthropic-messages')
  })
})
