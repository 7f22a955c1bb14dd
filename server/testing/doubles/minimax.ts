import { arrayOf } from '#server/lib/json.ts'
import type { Protocol } from './double.ts'
import { answerChat, askedInChat } from './openai.ts'
import { notFound } from './respond.ts'
import { doubleUsage, doubleVector, replyTo } from './script.ts'

const key = 'double-minimax'
const codes: Record<number, number> = { 400: 2013, 401: 1004, 402: 1008, 429: 1002 }

/** Errors come with HTTP 200. */
const refused = (status_code: number, status_msg: string): Response =>
  Response.json({ base_resp: { status_code, status_msg } })

export const minimaxDouble: Protocol = {
  key,
  answer(request) {
    if (request.headers.authorization !== `Bearer ${key}`) return refused(1004, 'login fail')
    if (request.path === '/v1/embeddings')
      return Response.json({
        vectors: arrayOf(request.body.texts).map(() => doubleVector),
        total_tokens: doubleUsage.input,
        base_resp: { status_code: 0, status_msg: '' },
      })
    if (request.path !== '/v1/chat/completions' && request.path !== '/v1/text/chatcompletion_v2') return notFound()
    const reply = replyTo(askedInChat(request.body))
    return reply.kind === 'error' ? refused(codes[reply.status] ?? 1033, reply.message) : answerChat(request.body)
  },
}
