import { objectOf } from '#server/lib/json.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** The longest thoughts of its models; those before 1.6 think only where their name says so. */
const longestThoughts = 65_536
const thoughtless = /^doubao-(1-5-|lite|pro)(?!.*thinking)/

/** Volcengine Ark: OpenAI's shape below a version of its own. Its `max_tokens` is the limit of the answer alone. */
export const ark = openaiFamily({
  types: [39],
  version: '/api/v3',
  operations: ['chat', 'embeddings', 'images'],
  thinksBeside: (model, { body }) =>
    thoughtless.test(model) || objectOf(body.thinking)?.type === 'disabled' ? 0 : longestThoughts,
})
