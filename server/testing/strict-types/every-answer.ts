import type { JsonObject } from '#server/lib/json.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'
import { askWorking, workingModels, workingUpstream } from './other-answers.ts'
import { type AnswerKind, answerKinds, chattingUpstream, scriptedUpstream } from './scripted-upstream.ts'
import type { Shape } from './shape.ts'

/** An answer of the relay, and the shape OpenAI's clients read it as. Streams are one shape for each of their frames. */
export interface ShownAnswer {
  readonly name: string
  readonly shape: Shape
  readonly body: unknown
}

/** Channels whose vendors speak another dialect than OpenAI's clients: what these receive is written here. */
const channels: readonly { name: string; type: number; models: string; upstream?: Behaviour }[] = [
  { name: 'anthropic', type: 14, models: 'claude-sonnet-5' },
  { name: 'gemini', type: 24, models: 'gemini-3-flash,gemini-2.5-flash-image,gemini-embedding-001' },
  { name: 'chat-only', type: 8, models: 'plain', upstream: chattingUpstream },
  { name: 'responses-only', type: 1, models: 'o1-pro' },
]

/** What is said to the end. */
const whole = answerKinds.filter((telling) => telling !== 'broken')

const model = (name: string) => channels.find((channel) => channel.name === name)?.models.split(',')[0] ?? ''

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
/** No custom ones: the clients' types of chunks know none, although OpenAI sends them. */
const chatTools = ['weather', 'read'].map((name) => ({ type: 'function', function: { name, parameters } }))
const responseTools = [
  { type: 'function', name: 'weather', parameters },
  { type: 'custom', name: 'shell', description: 'runs' },
  { type: 'namespace', name: 'files', description: 'files', tools: [{ type: 'function', name: 'read', parameters }] },
]

const likely = (telling: AnswerKind) => telling === 'sources'

const chatBody = (telling: AnswerKind) => ({
  messages: [{ role: 'user', content: `tell ${telling}` }],
  max_tokens: 100,
  ...(telling === 'calls' ? { tools: chatTools } : {}),
  ...(likely(telling) ? { logprobs: true, top_logprobs: 1 } : {}),
})

const responseBody = (telling: AnswerKind) => ({
  input: `tell ${telling}`,
  instructions: 'Be brief.',
  max_output_tokens: 100,
  metadata: { a: 'b' },
  reasoning: { effort: 'low', summary: 'auto' },
  ...(telling === 'calls' ? { tools: responseTools, tool_choice: 'auto' } : {}),
  ...(likely(telling) ? { include: ['message.output_text.logprobs'], top_logprobs: 1 } : {}),
})

/** What a vendor's format has no place for. */
const lacks: Readonly<Record<string, readonly AnswerKind[]>> = {
  anthropic: ['sources', 'refusal', 'picture'],
  gemini: ['refusal'],
  'chat-only': [],
  'responses-only': ['picture'],
}

export async function askEverything(scene: RelayScene): Promise<ShownAnswer[]> {
  const names = [...channels.flatMap(({ models }) => models.split(',')), ...workingModels.split(',')]
  await scene.option('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))))
  const answers: ShownAnswer[] = []
  const show = (name: string, shape: Shape, body: unknown) => void answers.push({ name, shape, body })
  for (const { upstream = scriptedUpstream, ...channel } of channels) {
    // OpenAI would keep the conversations itself.
    if (channel.type === 1) await askAround(scene, show)
    await scene.channel(upstream, channel)
  }
  await scene.channel(workingUpstream, { name: 'working', type: 1, models: workingModels })
  await askWorking(scene, show)
  const conversations = channels.flatMap(({ name }) =>
    whole.filter((telling) => !lacks[name]?.includes(telling)).map((telling) => [name, telling] as const),
  )
  for (const [channel, telling] of conversations) {
    const name = `${telling} of ${channel}`
    const chat = { model: model(channel), ...chatBody(telling) }
    if (channel !== 'chat-only') await askBoth(scene, '/v1/chat/completions', chat, (shown) => show(name, ...shown))
    const response = { model: model(channel), ...responseBody(telling) }
    if (channel !== 'responses-only') await askBoth(scene, '/v1/responses', response, (shown) => show(name, ...shown))
  }
  for (const name of ['anthropic', 'responses-only']) {
    const body = { model: model(name), input: 'tell broken', stream: true }
    for (const frame of framesOf(await (await scene.post('/v1/responses', body)).text()))
      show(`broken of ${name}`, 'response-event', frame)
  }
  return answers
}

const framesOf = (text: string): unknown[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))

type Shown = readonly [Shape, unknown]

async function askBoth(scene: RelayScene, path: string, body: JsonObject, show: (shown: Shown) => void) {
  const isChat = path.endsWith('completions')
  const plain = await scene.post(path, body)
  show([isChat ? 'chat' : 'response', await plain.json()])
  const stream = await scene.post(path, { ...body, stream: true, ...(isChat ? reported : {}) })
  for (const frame of framesOf(await stream.text())) show([isChat ? 'chat-chunk' : 'response-event', frame])
}

const reported = { stream_options: { include_usage: true } }

/** Everything beside the conversations. */
async function askAround(scene: RelayScene, show: (name: string, shape: Shape, body: unknown) => void): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${scene.key}` }
    const sent = body ? { body: JSON.stringify(body) } : {}
    return (await (await fetch(scene.app.url + path, { method, headers, ...sent })).json()) as { id: string }
  }
  const kept = await call('POST', '/v1/responses', { model: 'plain', ...responseBody('calls') })
  show('read again', 'response', await call('GET', `/v1/responses/${kept.id}`))
  show('its input', 'response-items', await call('GET', `/v1/responses/${kept.id}/input_items`))
  const onward = { model: 'plain', input: 'tell words', previous_response_id: kept.id }
  show('gone on with', 'response', await call('POST', '/v1/responses', onward))
  show('counted', 'input-tokens', await call('POST', '/v1/responses/input_tokens', onward))
  show('in the background', 'response', await call('POST', '/v1/responses', { ...onward, background: true }))
  show('deleted', 'response-deleted', await call('DELETE', `/v1/responses/${kept.id}`))
  const items = [{ type: 'message', role: 'user', content: 'hi' }]
  const talk = await call('POST', '/v1/conversations', { items, metadata: { a: 'b' } })
  show('begun', 'conversation', talk)
  await call('POST', '/v1/responses', { model: 'plain', ...responseBody('calls'), conversation: talk.id })
  show('read', 'conversation', await call('GET', `/v1/conversations/${talk.id}`))
  show('its items', 'conversation-items', await call('GET', `/v1/conversations/${talk.id}/items`))
  show('more items', 'conversation-items', await call('POST', `/v1/conversations/${talk.id}/items`, { items }))
  show('deleted', 'conversation-deleted', await call('DELETE', `/v1/conversations/${talk.id}`))
  const vectors = { model: 'gemini-embedding-001', input: 'hi' }
  show('of gemini', 'embeddings', await call('POST', '/v1/embeddings', vectors))
  const drawn = { model: 'gemini-2.5-flash-image', prompt: 'tell picture' }
  show('of gemini', 'images', await call('POST', '/v1/images/generations', drawn))
  show('the list', 'models', await call('GET', '/v1/models'))
  show('one', 'model', await call('GET', '/v1/models/plain'))
  show('unknown model', 'error', await call('POST', '/v1/chat/completions', { model: 'none', messages: [] }))
  show('unknown address', 'error', await call('GET', '/v1/nowhere'))
  show('unknown response', 'error', await call('GET', '/v1/responses/resp_x'))
}
