import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol, SeenRequest } from './double.ts'
import { events, notFound } from './respond.ts'
import { type Asked, doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

const [id, secret] = ['double-id', 'double-secret']
const accessToken = '24.double-token'

const usage = {
  prompt_tokens: doubleUsage.input,
  completion_tokens: doubleUsage.output,
  total_tokens: doubleUsage.input + doubleUsage.output,
}

const codes: Record<number, number> = { 400: 336001, 401: 110, 403: 6, 404: 3, 429: 18 }

/** Errors come with HTTP 200. */
const refused = (error_code: number, error_msg: string): Response => Response.json({ error_code, error_msg })

function askedIn(body: JsonObject, slug: string): Asked {
  const messages = arrayOf(body.messages).map((message) => objectOf(message) ?? {})
  const said = (role: string) =>
    messages.filter((message) => message.role === role).map((message) => textOf(message.content) ?? '')
  return {
    model: slug,
    stream: body.stream === true,
    text: said('user').at(-1) ?? '',
    tools: arrayOf(body.functions).flatMap((tool) => textOf(objectOf(tool)?.name) ?? []),
    toolResults: said('function'),
    sawImage: false,
  }
}

function answerToken(query: URLSearchParams): Response {
  const isKnown = query.get('client_id') === id && query.get('client_secret') === secret
  if (query.get('grant_type') === 'client_credentials' && isKnown)
    return Response.json({ access_token: accessToken, expires_in: 2_592_000 })
  return Response.json({ error: 'invalid_client', error_description: 'unknown client id' }, { status: 401 })
}

function bodyOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject {
  if (reply.kind === 'text') return { result: reply.pieces.join(''), finish_reason: 'normal' }
  const function_call = { name: reply.name, arguments: JSON.stringify(reply.arguments), thoughts: '' }
  return { result: '', finish_reason: 'function_call', function_call }
}

function answerChat(request: SeenRequest, slug: string): Response {
  const asked = askedIn(request.body, slug)
  const roles = arrayOf(request.body.messages).map((message) => objectOf(message)?.role)
  if (roles.length % 2 === 0) return refused(336003, 'the length of messages must be an odd number')
  const reply = replyTo(asked)
  if (reply.kind === 'error') return refused(codes[reply.status] ?? 336100, reply.message)
  const base = { id: 'as-double', object: 'chat.completion', created: 1 }
  if (!asked.stream) return Response.json({ ...base, ...bodyOf(reply), is_truncated: false, usage })
  const pieces = reply.kind === 'text' ? reply.pieces.map((result) => ({ result })) : [bodyOf(reply)]
  const chunks = pieces.map((piece, sentence_id) => ({
    data: { ...base, ...piece, sentence_id, is_end: sentence_id === pieces.length - 1, is_truncated: false, usage },
  }))
  return events(chunks)
}

export const baiduDouble: Protocol = {
  key: `${id}|${secret}`,
  answer(request) {
    const [path = '', search = ''] = request.path.split('?')
    const query = new URLSearchParams(search)
    if (path === '/oauth/2.0/token') return answerToken(query)
    const [, kind, slug = ''] = /^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/(chat|embeddings)\/(.+)$/.exec(path) ?? []
    if (kind === undefined) return notFound()
    if (query.get('access_token') !== accessToken) return refused(110, 'Access token invalid or no longer valid')
    if (kind === 'chat') return answerChat(request, slug)
    const data = arrayOf(request.body.input).map((_, index) => ({
      object: 'embedding',
      embedding: doubleVector,
      index,
    }))
    return Response.json({ data, usage: { prompt_tokens: doubleUsage.input, total_tokens: doubleUsage.input } })
  },
}
