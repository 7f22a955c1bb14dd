import { refuseLogprobs } from '#server/dialects/carried.ts'
import type { ChatRequest, Effort } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { effortOf, nearestEffort } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, type JsonObject, objectOf } from '#server/lib/json.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { withoutAddedFields } from '#server/providers/foreign-signatures.ts'
import { plainChat } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Body } from '#server/providers/provider.ts'

/** The last chunk of a stream may hold usage and errors under `x_groq`. */
function withGroqFields(chunk: JsonObject): JsonObject {
  const own = objectOf(chunk.x_groq)
  return own ? { ...chunk, usage: chunk.usage ?? own.usage, error: chunk.error ?? own.error } : chunk
}

function withoutName(value: unknown): Json {
  const { name, ...message } = objectOf(value) ?? {}
  return message as Json
}

function adjust(body: Body): Body {
  refuseLogprobs(body)
  const { logprobs, top_logprobs, logit_bias, messages, ...rest } = body
  return messages === undefined ? rest : withoutAddedFields({ ...rest, messages: arrayOf(messages).map(withoutName) })
}

/** Qwen thinks or does not; most others leave nobody the choice. */
function effortFor(model: string, asked: Effort): Effort | undefined {
  if (model.includes('gpt-oss')) return nearestEffort(asked, 'low', 'high')
  return model.includes('qwen3') && asked === 'none' ? 'none' : undefined
}

/** A translated request without what Groq refuses by name. */
function withinGroq(request: ChatRequest): ChatRequest {
  const asked = effortOf(request.reasoning)
  const effort = asked && effortFor(request.model, asked)
  return { ...request, verbosity: undefined, reasoning: effort === undefined ? undefined : { effort } }
}

const dialect = variantOf(plainChat, { rewrite: withGroqFields })

export const groq = openaiFamily({
  types: [29],
  operations: ['chat', 'speech', 'transcriptions', 'translations'],
  unpricedFields: ['compound_custom'],
  dialect: () => dialect,
  prepare: withinGroq,
  adjust: (body, target) => (target.operation === 'chat' ? adjust(body) : body),
})
