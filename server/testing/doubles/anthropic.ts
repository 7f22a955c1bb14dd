import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol } from './double.ts'
import { events, notFound } from './respond.ts'
import { type Asked, doubleUsage, type Reply, replyTo } from './script.ts'

const key = 'sk-ant-double'

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function refused(status: number, message: string): Response {
  return Response.json({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }, { status })
}

const blocksOf = (content: unknown): JsonObject[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : arrayOf(content).map((block) => objectOf(block) ?? {})

const wordsOf = (blocks: readonly JsonObject[]): string => blocks.map((block) => textOf(block.text) ?? '').join('')

function askedIn(body: JsonObject): Asked {
  const users = arrayOf(body.messages)
    .map((message) => objectOf(message) ?? {})
    .filter((message) => message.role === 'user')
    .map((message) => blocksOf(message.content))
  const all = users.flat()
  return {
    model: textOf(body.model) ?? '',
    stream: body.stream === true,
    text: users.map(wordsOf).findLast((words) => words !== '') ?? '',
    tools: arrayOf(body.tools).flatMap((tool) => textOf(objectOf(tool)?.name) ?? []),
    toolResults: all.filter((block) => block.type === 'tool_result').map((block) => wordsOf(blocksOf(block.content))),
    sawImage: all.some((block) => block.type === 'image'),
  }
}

type Success = Exclude<Reply, { kind: 'error' }>

function blockOf(reply: Success): JsonObject {
  if (reply.kind === 'text') return { type: 'text', text: reply.pieces.join('') }
  return { type: 'tool_use', id: reply.id, name: reply.name, input: reply.arguments }
}

function messageOf(reply: Success, asked: Asked): JsonObject {
  return {
    id: 'msg_double',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [blockOf(reply)],
    stop_reason: reply.kind === 'call' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: doubleUsage.input, output_tokens: doubleUsage.output },
  }
}

function streamOf(reply: Success, asked: Asked): JsonObject[] {
  const { stop_reason, ...message } = messageOf(reply, asked)
  const usage = { input_tokens: doubleUsage.input, output_tokens: 1 }
  const json = reply.kind === 'call' ? JSON.stringify(reply.arguments) : ''
  const deltas =
    reply.kind === 'text'
      ? reply.pieces.map((text) => ({ type: 'text_delta', text }))
      : [json.slice(0, 5), json.slice(5)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  const opening = reply.kind === 'text' ? { type: 'text', text: '' } : { ...blockOf(reply), input: {} }
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: opening },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: doubleUsage.output },
    },
    { type: 'message_stop' },
  ]
}

export const anthropicDouble: Protocol = {
  key,
  answer(request) {
    const [path] = request.path.split('?')
    if (path !== '/v1/messages' && path !== '/v1/messages/count_tokens') return notFound()
    if (request.headers['x-api-key'] !== key) return refused(401, 'invalid x-api-key')
    if (!request.headers['anthropic-version']) return refused(400, 'anthropic-version: header is required')
    if (path === '/v1/messages/count_tokens') return Response.json({ input_tokens: doubleUsage.input })
    if (typeof request.body.max_tokens !== 'number') return refused(400, 'max_tokens: Field required')
    const asked = askedIn(request.body)
    const reply = replyTo(asked)
    if (reply.kind === 'error') return refused(reply.status, reply.message)
    if (!asked.stream) return Response.json(messageOf(reply, asked))
    return events(streamOf(reply, asked).map((data) => ({ event: textOf(data.type) ?? '', data })))
  },
}
