import { bearer, tasks } from '#server/providers/endpoint.ts'
import { asPlain, plainChat } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Target } from '#server/providers/provider.ts'

/** Conversations and embeddings in OpenAI's shape; rankings only in its own, which is the shape everybody took over. */
const urlOf = (target: Target): string =>
  target.operation === 'rerank'
    ? `${target.baseUrl}/v2/rerank`
    : `${target.baseUrl}/compatibility/v1${tasks[target.operation]}`

export const cohere = openaiFamily({
  types: [40],
  version: '/compatibility/v1',
  url: urlOf,
  headers: ({ key }) => bearer(key),
  operations: ['chat', 'embeddings', 'rerank'],
  dialect: () => plainChat,
  adjust: asPlain,
})
