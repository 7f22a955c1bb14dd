import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openrouterBalance } from '#server/providers/balances.ts'
import { bearer, endpoint } from '#server/providers/endpoint.ts'
import { numbersOrBase64 } from '#server/providers/float-vectors.ts'
import { ownChatThoughts, ownResponsesThoughts } from '#server/providers/foreign-signatures.ts'
import { chatOrResponses, taskOf } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import { withinListPrice } from './host-choice.ts'

/** Passes cache marks and reasoning on to the vendors behind it. */
const dialect = createOpenaiChat({ reasoning: true, cacheControl: true, developer: false })

export const openrouter = openaiFamily({
  types: [20],
  operations: ['chat', 'completions', 'embeddings'],
  unpricedFields: ['preset'],
  dialect: (target) => chatOrResponses(target, dialect),
  url: (target) => endpoint(target.baseUrl, '/v1', taskOf(target, openrouter)),
  headers: (target) => ({
    ...bearer(target.key),
    'http-referer': target.passed('http-referer') ?? 'https://switchyard.local',
    'x-title': target.passed('x-title') ?? 'Switchyard',
  }),
  adjust: (body, { model }) => withinListPrice(ownChatThoughts(ownResponsesThoughts(body)), model),
  codecs: { embeddings: numbersOrBase64 },
  reportsCost: true,
  balance: openrouterBalance,
})
