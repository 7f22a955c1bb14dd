import { arrayOf, numberOf, objectOf, parseObject, textOf } from '#server/lib/json.ts'
import { zhipuJwt } from '#server/providers/zhipu/signing.ts'
import type { Protocol, SeenRequest } from './double.ts'
import { answerTask } from './openai.ts'
import { notFound } from './respond.ts'
import { doubleUsage, replyTo } from './script.ts'

const [id, secret] = ['double', 'double-secret']
const key = `${id}.${secret}`

const usage = {
  prompt_tokens: doubleUsage.input,
  completion_tokens: doubleUsage.output,
  total_tokens: doubleUsage.input + doubleUsage.output,
}

/** A token of ours that has not ended, signed with the secret. */
function isToken(token: string): boolean {
  const payload = parseObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const [from, to] = [numberOf(payload.timestamp) ?? 0, numberOf(payload.exp) ?? 0]
  return to > Date.now() && from <= Date.now() + 60_000 && token === zhipuJwt(id, secret, from, to - from)
}

const codes: Record<number, number> = { 400: 1214, 401: 1002, 429: 1302 }

function answerV3(request: SeenRequest, model: string, streams: boolean): Response {
  const messages = arrayOf(request.body.prompt).map((message) => objectOf(message) ?? {})
  const text = textOf(messages.findLast((message) => message.role === 'user')?.content) ?? ''
  const reply = replyTo({ model, stream: streams, text, tools: [], toolResults: [], sawImage: false })
  if (reply.kind === 'error')
    return Response.json({ code: codes[reply.status] ?? 1234, msg: reply.message, success: false })
  const pieces = reply.kind === 'text' ? reply.pieces : []
  if (streams) {
    const added = pieces.map(
      (piece, index) => `id:${index}\nevent:add\ndata:${piece.startsWith(' ') ? ' ' : ''}${piece}\n\n`,
    )
    const meta = JSON.stringify({ task_status: 'SUCCESS', usage })
    return new Response(`${added.join('')}id:n\nevent:finish\ndata:\nmeta:${meta}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  const choices = [{ role: 'assistant', content: JSON.stringify(pieces.join('')) }]
  return Response.json({
    code: 200,
    success: true,
    data: { task_id: 'double', task_status: 'SUCCESS', choices, usage },
  })
}

function refused(code: string, message: string, status: number): Response {
  return Response.json({ error: { code, message } }, { status })
}

/** v4 takes the key itself or a token made from it, v3 the token alone. */
export const zhipuDouble: Protocol = {
  key,
  answer(request) {
    const shown = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    const [, model, action] = /^\/api\/paas\/v3\/model-api\/([^/]+)\/(invoke|sse-invoke)$/.exec(request.path) ?? []
    if (model !== undefined) {
      if (!isToken(shown)) return Response.json({ code: 1002, msg: 'Authorization Token invalid', success: false })
      return answerV3(request, model, action === 'sse-invoke')
    }
    if (!request.path.startsWith('/api/paas/v4/')) return notFound()
    if (shown !== key && !isToken(shown)) return refused('1002', 'Authorization Token invalid', 401)
    return answerTask(request, request.path)
  },
}
