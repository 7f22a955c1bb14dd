import type { ChatRequest } from '#server/dialects/chat.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { bearer, splitBase, tasks } from '#server/providers/endpoint.ts'
import { withoutAddedFields } from '#server/providers/foreign-signatures.ts'
import { oldLimit } from '#server/providers/openai/models.ts'
import { plainChat } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Target } from '#server/providers/provider.ts'

/** Conversations and embeddings in OpenAI's shape; rankings only in its own, which is the shape everybody took over. */
function urlOf({ baseUrl, operation }: Target): string {
  const { root } = splitBase(baseUrl, /\/(?:compatibility\/v1|v[12])$/)
  return operation === 'rerank' ? `${root}/v2/rerank` : `${root}/compatibility/v1${tasks[operation]}`
}

/** It thinks or does not; how much is not the caller's to say. */
function withSwitch(request: ChatRequest): ChatRequest {
  const asked = effortOf(request.reasoning)
  return asked === undefined ? request : { ...request, reasoning: { effort: asked === 'none' ? 'none' : 'high' } }
}

export const cohere = openaiFamily({
  types: [40],
  version: '/compatibility/v1',
  url: urlOf,
  headers: ({ key }) => bearer(key),
  operations: ['chat', 'embeddings', 'rerank'],
  dialect: () => plainChat,
  prepare: withSwitch,
  adjust: (body) => withoutAddedFields(oldLimit(body)),
})
