import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol, SeenRequest } from './double.ts'
import { answerResponses } from './openai-responses.ts'
import { events, notFound } from './respond.ts'
import { type Asked, doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

const usage = {
  prompt_tokens: doubleUsage.input,
  completion_tokens: doubleUsage.output,
  total_tokens: doubleUsage.input + doubleUsage.output,
}

function wordsOf(content: unknown): string {
  const parts = typeof content === 'string' ? [{ text: content }] : arrayOf(content)
  return parts.map((part) => textOf(objectOf(part)?.text) ?? '').join('')
}

function hasImage(message: JsonObject): boolean {
  return arrayOf(message.content).some((part) => objectOf(part)?.type === 'image_url')
}

export function askedInChat(body: JsonObject): Asked {
  const messages = arrayOf(body.messages).map((message) => objectOf(message) ?? {})
  const user = messages.findLast((message) => message.role === 'user')
  return {
    model: textOf(body.model) ?? '',
    stream: body.stream === true,
    text: wordsOf(user?.content),
    tools: arrayOf(body.tools).flatMap((tool) => textOf(objectOf(objectOf(tool)?.function)?.name) ?? []),
    toolResults: messages.filter((message) => message.role === 'tool').map((message) => wordsOf(message.content)),
    sawImage: messages.some(hasImage),
  }
}

function messageOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject {
  if (reply.kind === 'text') return { role: 'assistant', content: reply.pieces.join('') }
  const called = { name: reply.name, arguments: JSON.stringify(reply.arguments) }
  return { role: 'assistant', content: null, tool_calls: [{ id: reply.id, type: 'function', function: called }] }
}

function deltasOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject[] {
  if (reply.kind === 'text') return reply.pieces.map((content) => ({ content }))
  const text = JSON.stringify(reply.arguments)
  const head = { index: 0, id: reply.id, type: 'function', function: { name: reply.name, arguments: '' } }
  const pieces = [text.slice(0, 5), text.slice(5)].map((piece) => ({ index: 0, function: { arguments: piece } }))
  return [head, ...pieces].map((call) => ({ tool_calls: [call] }))
}

function chunks(reply: Exclude<Reply, { kind: 'error' }>, asked: Asked, wantsUsage: boolean): object[] {
  const base = { id: 'chatcmpl-double', object: 'chat.completion.chunk', created: 1, model: asked.model }
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
    ...(wantsUsage ? { usage: null } : {}),
  })
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...deltasOf(reply).map((delta) => chunk(delta, null)),
    chunk({}, reply.kind === 'call' ? 'tool_calls' : 'stop'),
    ...(wantsUsage ? [{ ...base, choices: [], usage }] : []),
  ]
}

function openaiError(status: number, message: string): Response {
  const types: Record<number, string> = { 401: 'authentication_error', 429: 'rate_limit_error' }
  const type = types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return Response.json({ error: { message, type, param: null, code: null } }, { status })
}

/** Chat completions; `lead` are chunks a vendor sends before the first. */
export function answerChat(body: JsonObject, lead: readonly object[] = []): Response {
  const asked = askedInChat(body)
  const reply = replyTo(asked)
  if (reply.kind === 'error') return openaiError(reply.status, reply.message)
  if (asked.stream) {
    const wantsUsage = objectOf(body.stream_options)?.include_usage === true
    const frames = [...lead, ...chunks(reply, asked, wantsUsage), '[DONE]']
    return events(frames.map((data) => ({ data })))
  }
  return Response.json({
    id: 'chatcmpl-double',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, message: messageOf(reply), finish_reason: reply.kind === 'call' ? 'tool_calls' : 'stop' }],
    usage,
  })
}

function answerEmbeddings(body: JsonObject): Response {
  const inputs = Array.isArray(body.input) ? body.input : [body.input]
  return Response.json({
    object: 'list',
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding: doubleVector })),
    model: body.model,
    usage: { prompt_tokens: doubleUsage.input, total_tokens: doubleUsage.input },
  })
}

export function answerTask(request: SeenRequest, task: string, lead?: readonly object[]): Response {
  if (task.endsWith('/chat/completions')) return answerChat(request.body, lead)
  if (task.endsWith('/responses')) return answerResponses(request.body)
  return task.endsWith('/embeddings') ? answerEmbeddings(request.body) : notFound()
}

const pathOf = (request: SeenRequest): string => request.path.split('?')[0] ?? ''

const openaiKey = 'sk-double-openai'

export const openaiDouble: Protocol = {
  key: openaiKey,
  answer(request) {
    if (request.headers.authorization !== `Bearer ${openaiKey}`) return openaiError(401, 'Incorrect API key provided')
    return pathOf(request).startsWith('/v1/') ? answerTask(request, pathOf(request)) : notFound()
  },
}

const azureKey = 'azure-double-key'

/** Deployments with a version in the query, or the v1 surface; a stream opens with a chunk that has no choices. */
export const azureDouble: Protocol = {
  key: azureKey,
  answer(request) {
    if (request.headers['api-key'] !== azureKey)
      return Response.json(
        { statusCode: 401, message: 'Access denied due to invalid subscription key.' },
        { status: 401 },
      )
    const path = pathOf(request)
    const version = new URLSearchParams(request.path.split('?')[1]).get('api-version')
    const isDeployment = /^\/openai\/deployments\/[^/.]+\//.test(path) && /^\d{4}-\d\d-\d\d/.test(version ?? '')
    const isWhole = path.startsWith('/openai/v1/') || (path === '/openai/responses' && version !== null)
    if (!isDeployment && !isWhole)
      return Response.json({ error: { code: 'DeploymentNotFound', message: 'x' } }, { status: 404 })
    return answerTask(request, path, [{ id: '', object: '', model: '', choices: [], prompt_filter_results: [] }])
  },
}
