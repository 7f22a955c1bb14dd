import { openaiFamily } from './openai-family.ts'

/** 360's models. */
export const zhinao = openaiFamily({ types: [19], operations: ['chat', 'embeddings'] })
