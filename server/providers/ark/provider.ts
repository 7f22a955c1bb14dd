import { openaiFamily } from '#server/providers/openai-family.ts'

/** Volcengine Ark: OpenAI's shape below a version of its own. */
export const ark = openaiFamily({ types: [39], version: '/api/v3', operations: ['chat', 'embeddings', 'images'] })
