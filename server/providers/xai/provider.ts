import { openaiFamily } from '#server/providers/openai-family.ts'

export const xai = openaiFamily({ types: [35], operations: ['chat', 'completions', 'images'] })
