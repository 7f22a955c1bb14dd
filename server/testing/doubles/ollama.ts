import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol } from './double.ts'
import { lines, notFound } from './respond.ts'
import { type Asked, doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

function askedIn(body: JsonObject): Asked {
  const messages = arrayOf(body.messages).map((message) => objectOf(message) ?? {})
  const said = (role: string) =>
    messages.filter((message) => message.role === role).map((message) => textOf(message.content) ?? '')
  return {
    model: textOf(body.model) ?? '',
    stream: body.stream !== false,
    text: said('user').at(-1) ?? '',
    tools: arrayOf(body.tools).flatMap((tool) => textOf(objectOf(objectOf(tool)?.function)?.name) ?? []),
    toolResults: said('tool'),
    sawImage: messages.some((message) => arrayOf(message.images).length > 0),
  }
}

function messagesOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject[] {
  if (reply.kind === 'text') return reply.pieces.map((content) => ({ role: 'assistant', content }))
  const tool_calls = [{ function: { name: reply.name, arguments: reply.arguments } }]
  return [{ role: 'assistant', content: '', tool_calls }]
}

function answerChat(body: JsonObject): Response {
  const asked = askedIn(body)
  const reply = replyTo(asked)
  if (reply.kind === 'error') return Response.json({ error: reply.message }, { status: reply.status })
  const base = { model: asked.model, created_at: '2026-01-01T00:00:00Z' }
  const end = { done: true, done_reason: 'stop', prompt_eval_count: doubleUsage.input, eval_count: doubleUsage.output }
  const messages = messagesOf(reply)
  if (asked.stream) {
    const last = { ...base, message: { role: 'assistant', content: '' }, ...end }
    return lines([...messages.map((message) => ({ ...base, message, done: false })), last])
  }
  const content = messages.map((message) => textOf(message.content) ?? '').join('')
  return Response.json({ ...base, message: { ...messages[0], content }, ...end })
}

/** Asks for no key; takes any. */
export const ollamaDouble: Protocol = {
  key: 'ollama',
  answer(request) {
    if (request.path === '/api/chat') return answerChat(request.body)
    if (request.path !== '/api/embed') return notFound()
    const embeddings = arrayOf(request.body.input).map(() => doubleVector)
    return Response.json({ model: request.body.model, embeddings, prompt_eval_count: doubleUsage.input })
  },
}
