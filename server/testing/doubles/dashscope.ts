import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol, SeenRequest } from './double.ts'
import { answerTask, askedInChat } from './openai.ts'
import { events, notFound } from './respond.ts'
import { doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

const key = 'sk-double-dashscope'
const services = '/api/v1/services'

const codes: Record<number, string> = {
  400: 'InvalidParameter',
  401: 'InvalidApiKey',
  404: 'ModelNotFound',
  429: 'Throttling',
}

const usage = {
  input_tokens: doubleUsage.input,
  output_tokens: doubleUsage.output,
  total_tokens: doubleUsage.input + doubleUsage.output,
}

function refused(status: number, message: string): Response {
  return Response.json({ code: codes[status] ?? 'InternalError', message, request_id: 'r' }, { status })
}

function outputOf(message: JsonObject, finish_reason: string): JsonObject {
  const choices = [{ finish_reason, message: { role: 'assistant', content: '', ...message } }]
  return { output: { choices }, usage, request_id: 'r-double' }
}

function messagesOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject[] {
  if (reply.kind === 'text') return reply.pieces.map((content) => ({ content }))
  const called = { name: reply.name, arguments: JSON.stringify(reply.arguments) }
  return [{ tool_calls: [{ index: 0, id: reply.id, type: 'function', function: called }] }]
}

/** The native form holds the same messages, with pictures as blocks of their own. */
function answerNative(request: SeenRequest): Response {
  const parameters = objectOf(request.body.parameters) ?? {}
  const messages = arrayOf(objectOf(request.body.input)?.messages)
  const blocks = messages.flatMap((message) => arrayOf(objectOf(message)?.content))
  const streams = request.headers['x-dashscope-sse'] === 'enable'
  const asked = {
    ...askedInChat({ model: request.body.model, messages, tools: parameters.tools }),
    stream: streams,
    sawImage: blocks.some((block) => textOf(objectOf(block)?.image) !== undefined),
  }
  const reply = replyTo(asked)
  if (reply.kind === 'error') return refused(reply.status, reply.message)
  const finish = reply.kind === 'call' ? 'tool_calls' : 'stop'
  const pieces = messagesOf(reply)
  if (!streams)
    return Response.json(
      outputOf({ ...pieces[0], ...(reply.kind === 'text' ? { content: reply.pieces.join('') } : {}) }, finish),
    )
  const frames = [...pieces.map((piece) => outputOf(piece, 'null')), outputOf({}, finish)]
  return events(frames.map((data) => ({ event: 'result', data })))
}

function answerEmbeddings(request: SeenRequest): Response {
  const texts = arrayOf(objectOf(request.body.input)?.texts)
  const embeddings = texts.map((_, text_index) => ({ text_index, embedding: doubleVector }))
  return Response.json({ output: { embeddings }, usage: { total_tokens: doubleUsage.input }, request_id: 'r' })
}

export const dashscopeDouble: Protocol = {
  key,
  answer(request) {
    if (request.headers.authorization !== `Bearer ${key}`) return refused(401, 'Invalid API-key provided.')
    const { path } = request
    if (path.startsWith('/compatible-mode/v1/')) return answerTask(request, path)
    if (/^\/aigc\/(text|multimodal)-generation\/generation$/.test(path.replace(services, '')))
      return answerNative(request)
    return path === `${services}/embeddings/text-embedding/text-embedding` ? answerEmbeddings(request) : notFound()
  },
}
