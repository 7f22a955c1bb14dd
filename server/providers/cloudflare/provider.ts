import { tasks } from '#server/providers/endpoint.ts'
import { cloudflareList } from '#server/providers/model-lists.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Workers AI; `other` is the account. */
export const cloudflare = openaiFamily({
  types: [41],
  operations: ['chat', 'embeddings'],
  models: cloudflareList,
  url: ({ baseUrl, other, operation }) =>
    `${baseUrl}/client/v4/accounts/${encodeURIComponent(other)}/ai/v1${tasks[operation]}`,
})
