import { createHash } from 'node:crypto'
import { refuseLogprobs } from '#server/dialects/carried.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { asPlain, plainChat } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Body } from '#server/providers/provider.ts'

/** Fields of OpenAI that Mistral answers with 422. */
const refused = [
  'stream_options',
  'user',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'verbosity',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_options',
  'prompt_cache_retention',
]

/** All it knows of a message: others, even empty ones, are answered with 422. Only tools have a name. */
const ofMessages = ['role', 'content', 'tool_calls', 'tool_call_id', 'prefix']

function withKnownFields(value: unknown): JsonObject {
  const message = objectOf(value) ?? {}
  const said = message.content ?? message.refusal
  const known = message.role === 'tool' ? [...ofMessages, 'name'] : ofMessages
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => known.includes(name)))
  return said === undefined ? kept : { ...kept, content: said }
}

/** Ids must be nine letters or digits; the same id always becomes the same nine. */
function shortId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

function withShortIds(value: unknown): Json {
  const message = withKnownFields(value)
  const resultOf = textOf(message.tool_call_id)
  const calls = arrayOf(message.tool_calls).map((entry) => {
    const call = objectOf(entry) ?? {}
    return { ...call, id: shortId(textOf(call.id) ?? '') }
  })
  return {
    ...message,
    ...(resultOf === undefined ? {} : { tool_call_id: shortId(resultOf) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  } as Json
}

function adjust(body: Body): Body {
  refuseLogprobs(body)
  const { seed, ...rest } = asPlain(body)
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !refused.includes(name)))
  return {
    ...kept,
    ...(seed === undefined ? {} : { random_seed: seed }),
    ...(rest.messages === undefined ? {} : { messages: arrayOf(rest.messages).map(withShortIds) }),
  }
}

export const mistral = openaiFamily({
  types: [28],
  operations: ['chat', 'embeddings', 'moderations', 'transcriptions'],
  dialect: () => plainChat,
  adjust: (body, target) => (target.operation === 'chat' ? adjust(body) : body),
  // Reasoning comes as a list of blocks in the place of text, which clients of the format do not expect.
  passesThrough(target, body) {
    const { reasoning_effort, prompt_mode } = objectOf(body) ?? {}
    return !target.model.startsWith('magistral') && reasoning_effort === undefined && prompt_mode === undefined
  },
})
