import { openaiFamily } from '#server/providers/openai-family.ts'

/** A server of the operator's own. */
export const xinference = openaiFamily({
  types: [42],
  operations: ['chat', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'translations', 'rerank'],
})
