import { tasks } from '#server/providers/endpoint.ts'
import { accountOf, cloudflareList } from '#server/providers/model-lists.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Workers AI; `other` is the account. */
export const cloudflare = openaiFamily({
  types: [41],
  operations: ['chat', 'embeddings'],
  models: cloudflareList,
  url: (target) => `${accountOf(target)}/ai/v1${tasks[target.operation]}`,
})
