import { siliconflowBalance } from '#server/providers/balances.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

export const siliconflow = openaiFamily({
  types: [38],
  operations: ['chat', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'rerank'],
  balance: siliconflowBalance,
})
