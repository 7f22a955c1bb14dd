import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { events } from './respond.ts'
import { type Asked, doubleUsage, type Reply, replyTo } from './script.ts'

type Success = Exclude<Reply, { kind: 'error' }>

function wordsOf(content: unknown): string {
  const parts = typeof content === 'string' ? [{ text: content }] : arrayOf(content)
  return parts.map((part) => textOf(objectOf(part)?.text) ?? '').join('')
}

function askedIn(body: JsonObject): Asked {
  const given = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : arrayOf(body.input)
  const items = given.map((item) => objectOf(item) ?? {})
  const user = items.findLast((item) => item.role === 'user')
  const results = items.filter((item) => item.type === 'function_call_output')
  const parts = items.flatMap((item) => arrayOf(item.content))
  return {
    model: textOf(body.model) ?? '',
    stream: body.stream === true,
    text: wordsOf(user?.content),
    tools: arrayOf(body.tools).flatMap((tool) => textOf(objectOf(tool)?.name) ?? []),
    toolResults: results.map((item) => wordsOf(item.output)),
    sawImage: parts.some((part) => objectOf(part)?.type === 'input_image'),
  }
}

function itemOf(reply: Success, status: string): JsonObject {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.pieces.join(''), annotations: [] }]
    return { type: 'message', id: 'msg_double', status, role: 'assistant', content }
  }
  const { id: call_id, name } = reply
  return { type: 'function_call', id: 'fc_double', call_id, name, arguments: JSON.stringify(reply.arguments), status }
}

function responseOf(asked: Asked, status: string, output: readonly object[]): JsonObject {
  const usage = {
    input_tokens: doubleUsage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: doubleUsage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: doubleUsage.input + doubleUsage.output,
  }
  return {
    id: 'resp_double',
    object: 'response',
    created_at: 1,
    status,
    error: null,
    incomplete_details: null,
    model: asked.model,
    output,
    ...(status === 'completed' ? { usage } : {}),
  }
}

function insideEvents(reply: Success): JsonObject[] {
  if (reply.kind === 'call') {
    const at = { item_id: 'fc_double', output_index: 0 }
    const text = JSON.stringify(reply.arguments)
    return [
      { type: 'response.function_call_arguments.delta', ...at, delta: text },
      { type: 'response.function_call_arguments.done', ...at, arguments: text },
    ]
  }
  const at = { item_id: 'msg_double', output_index: 0, content_index: 0 }
  const text = reply.pieces.join('')
  return [
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
    ...reply.pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: { type: 'output_text', text, annotations: [] } },
  ]
}

function streamOf(reply: Success, asked: Asked): JsonObject[] {
  const item = itemOf(reply, 'completed')
  const opening = { ...item, status: 'in_progress', ...(reply.kind === 'text' ? { content: [] } : { arguments: '' }) }
  const all: JsonObject[] = [
    { type: 'response.created', response: responseOf(asked, 'in_progress', []) },
    { type: 'response.in_progress', response: responseOf(asked, 'in_progress', []) },
    { type: 'response.output_item.added', output_index: 0, item: opening },
    ...insideEvents(reply),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: responseOf(asked, 'completed', [item]) },
  ]
  return all.map((event, sequence_number) => ({ ...event, sequence_number }))
}

/** OpenAI's responses API. */
export function answerResponses(body: JsonObject): Response {
  const asked = askedIn(body)
  const reply = replyTo(asked)
  if (reply.kind === 'error') {
    const { status, message } = reply
    return Response.json({ error: { message, type: 'server_error', param: null, code: null } }, { status })
  }
  if (!asked.stream) return Response.json(responseOf(asked, 'completed', [itemOf(reply, 'completed')]))
  return events(streamOf(reply, asked).map((data) => ({ event: textOf(data.type) ?? '', data })))
}
