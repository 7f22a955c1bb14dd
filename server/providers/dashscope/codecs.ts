import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '#server/dialects/dialect.ts'
import { faultOfKind } from '#server/dialects/fault.ts'
import { arrayOf, inOrder, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { bearer } from '#server/providers/endpoint.ts'
import { embeddingAnswer, embeddingTexts } from '#server/providers/float-vectors.ts'
import { type OperationCodec, type Target, type Tools, UpstreamFault } from '#server/providers/provider.ts'
import { rootOf } from './address.ts'
import { dashscopeFault } from './dialect.ts'

const longestPause = 2_000
const tries = 60

function answerOf(body: unknown): JsonObject {
  const answer = objectOf(body) ?? {}
  const code = textOf(answer.code)
  if (code) throw new UpstreamFault(dashscopeFault(code, textOf(answer.message) ?? code))
  return answer
}

export const dashscopeEmbeddings: OperationCodec = {
  encode: (body, target) => ({
    model: target.model,
    input: { texts: embeddingTexts(body) },
    parameters: { dimension: numberOf(objectOf(body)?.dimensions) },
  }),
  decode(body, target, request) {
    const answer = answerOf(body)
    const vectors = inOrder(objectOf(answer.output)?.embeddings, 'text_index').map((entry) => entry.embedding)
    return embeddingAnswer(vectors, target.model, numberOf(objectOf(answer.usage)?.total_tokens), request)
  },
}

export const dashscopeRerank: OperationCodec = {
  encode(body, target) {
    const { query, documents, top_n, return_documents } = (objectOf(body) ?? {}) as Record<string, Json>
    return { model: target.model, input: { query, documents }, parameters: { top_n, return_documents } }
  },
  decode(body, target) {
    const answer = answerOf(body)
    return {
      id: textOf(answer.request_id),
      model: target.model,
      results: arrayOf(objectOf(answer.output)?.results) as Json[],
      usage: { total_tokens: numberOf(objectOf(answer.usage)?.total_tokens) },
    }
  },
}

/** Newer picture models answer at once, in the form of a conversation; the others give a ticket. */
export const drawsAtOnce = (model: string): boolean => /^(qwen-image|z-image|wan2\.[6-9]|wan[3-9])/.test(model)

function drawing(body: Json): { prompt: string; parameters: { [key: string]: Json | undefined } } {
  const { prompt, size, n } = objectOf(body) ?? {}
  return {
    prompt: textOf(prompt) ?? '',
    parameters: { size: textOf(size)?.replace(/x/i, '*'), n: numberOf(n) },
  }
}

async function collect(body: unknown, target: Target, tools: Tools): Promise<unknown> {
  const ticket = textOf(objectOf(answerOf(body).output)?.task_id)
  if (ticket === undefined) return body
  for (let asked = 0; asked < tries; asked++) {
    const init = { headers: bearer(target.key), signal: tools.signal, redirect: 'manual' } as const
    const response = await tools.fetch(`${rootOf(target)}/api/v1/tasks/${encodeURIComponent(ticket)}`, init)
    const state = await boundedJson(response)
    const status = textOf(objectOf(answerOf(state).output)?.task_status)
    if (status !== 'PENDING' && status !== 'RUNNING') return state
    await pause(Math.min(longestPause, 100 * 2 ** asked), undefined, { signal: tools.signal })
  }
  throw new UpstreamFault(faultOfKind('overloaded', 'The picture was not ready in time.'))
}

function pictureUrls(output: JsonObject): string[] {
  const results = arrayOf(output.results).map((result) => textOf(objectOf(result)?.url))
  const blocks = arrayOf(output.choices).flatMap((choice) => arrayOf(objectOf(objectOf(choice)?.message)?.content))
  return [...results, ...blocks.map((block) => textOf(objectOf(block)?.image))].filter((url) => url !== undefined)
}

export const dashscopeImages: OperationCodec = {
  encode(body, target) {
    const { prompt, parameters } = drawing(body)
    if (!drawsAtOnce(target.model)) return { model: target.model, input: { prompt }, parameters }
    return { model: target.model, input: { messages: [{ role: 'user', content: [{ text: prompt }] }] }, parameters }
  },
  collect,
  decode(body) {
    const output = objectOf(answerOf(body).output) ?? {}
    const urls = pictureUrls(output)
    if (urls.length === 0) {
      const code = textOf(output.code) ?? 'InternalError'
      throw new UpstreamFault(dashscopeFault(code, textOf(output.message) ?? 'No picture was made.'))
    }
    return { created: Math.floor(Date.now() / 1000), data: urls.map((url) => ({ url })) }
  },
}
