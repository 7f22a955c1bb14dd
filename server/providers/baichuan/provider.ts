import { oldNames } from '#server/providers/openai/models.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

export const baichuan = openaiFamily({
  types: [26],
  operations: ['chat', 'embeddings'],
  unpricedFields: ['with_search_enhance'],
  // A zero is refused where a missing field would mean the same.
  adjust: (body) =>
    Object.fromEntries(Object.entries(oldNames(body)).filter(([, value]) => value !== 0 && value !== null)),
})
