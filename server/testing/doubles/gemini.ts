import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Protocol } from './double.ts'
import { events, notFound } from './respond.ts'
import { type Asked, doubleUsage, doubleVector, type Reply, replyTo } from './script.ts'

const key = 'AIza-double-gemini'

const statusWords: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
}

function refused(code: number, message: string, details: readonly object[] = []): Response {
  return Response.json({ error: { code, message, status: statusWords[code] ?? 'INTERNAL', details } }, { status: code })
}

function askedIn(body: JsonObject, model: string, stream: boolean): Asked {
  const users = arrayOf(body.contents)
    .map((content) => objectOf(content) ?? {})
    .filter((content) => content.role !== 'model')
    .map((content) => arrayOf(content.parts).map((part) => objectOf(part) ?? {}))
  const words = users.map((parts) => parts.map((part) => textOf(part.text) ?? '').join(''))
  const parts = users.flat()
  const declared = arrayOf(body.tools).flatMap((tool) => arrayOf(objectOf(tool)?.functionDeclarations))
  return {
    model,
    stream,
    text: words.findLast((text) => text !== '') ?? '',
    tools: declared.flatMap((entry) => textOf(objectOf(entry)?.name) ?? []),
    toolResults: parts.flatMap((part) => {
      const response = objectOf(objectOf(part.functionResponse)?.response)
      return response ? [textOf(response.output) ?? JSON.stringify(response)] : []
    }),
    sawImage: parts.some((part) => textOf(objectOf(part.inlineData)?.mimeType)?.startsWith('image/')),
  }
}

function partsOf(reply: Exclude<Reply, { kind: 'error' }>): JsonObject[] {
  if (reply.kind === 'text') return reply.pieces.map((text) => ({ text }))
  return [{ functionCall: { id: reply.id, name: reply.name, args: reply.arguments }, thoughtSignature: 'c2lnbmF0dXJl' }]
}

function responseOf(parts: readonly JsonObject[], asked: Asked, isLast: boolean): JsonObject {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: {
      promptTokenCount: doubleUsage.input,
      candidatesTokenCount: isLast ? doubleUsage.output : 1,
      totalTokenCount: doubleUsage.input + (isLast ? doubleUsage.output : 1),
    },
    modelVersion: asked.model,
    responseId: 'resp_double',
  }
}

export const geminiDouble: Protocol = {
  key,
  answer(request) {
    const [, model = '', action = '', query = ''] =
      /^\/v1(?:beta)?\/models\/([^:?]+):(\w+)\??(.*)$/.exec(request.path) ?? []
    if (action === '') return notFound()
    if (request.headers['x-goog-api-key'] !== key)
      return refused(400, 'API key not valid.', [{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' }])
    if (action === 'batchEmbedContents')
      return Response.json({ embeddings: arrayOf(request.body.requests).map(() => ({ values: doubleVector })) })
    if (action === 'embedContent') return Response.json({ embedding: { values: doubleVector } })
    if (action === 'countTokens') return Response.json({ totalTokens: doubleUsage.input })
    const asked = askedIn(request.body, decodeURIComponent(model), action === 'streamGenerateContent')
    const reply = replyTo(asked)
    if (reply.kind === 'error') return refused(reply.status, reply.message)
    const parts = partsOf(reply)
    if (!asked.stream) return Response.json(responseOf(parts, asked, true))
    const all = parts.map((part, index) => responseOf([part], asked, index === parts.length - 1))
    return query === 'alt=sse' ? events(all.map((data) => ({ data }))) : Response.json(all)
  },
}
