import { openaiFamily } from '#server/providers/openai-family.ts'

export const together = openaiFamily({
  types: [37],
  operations: ['chat', 'completions', 'embeddings', 'images', 'speech', 'rerank'],
})
