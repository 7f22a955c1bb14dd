import { asPlain, plainChat } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Its calls stand without a version. */
export const perplexity = openaiFamily({
  types: [36],
  version: '',
  operations: ['chat'],
  dialect: () => plainChat,
  adjust: asPlain,
})
