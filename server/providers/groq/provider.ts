import { refuseLogprobs } from '#server/dialects/carried.ts'
import type { Json } from '#server/dialects/dialect.ts'
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

const dialect = variantOf(plainChat, { rewrite: withGroqFields })

export const groq = openaiFamily({
  types: [29],
  operations: ['chat', 'speech', 'transcriptions', 'translations'],
  dialect: () => dialect,
  adjust: (body, target) => (target.operation === 'chat' ? adjust(body) : body),
})
