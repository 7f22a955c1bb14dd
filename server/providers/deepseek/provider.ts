import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { deepseekBalance } from '#server/providers/balances.ts'
import { withSchemaInMessages } from '#server/providers/form-in-words.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Body } from '#server/providers/provider.ts'

/** Tool loops of its reasoning models want their earlier `reasoning_content` back. */
const chat = createOpenaiChat({ reasoning: true, cacheControl: false, developer: false })

/** Not to think is no effort here, but a switch of its own. */
function thinkingOf(body: Body): Body {
  if (body.reasoning_effort !== 'none') return body
  const { reasoning_effort: _, ...rest } = body
  return { thinking: { type: 'disabled' }, ...rest }
}

export const deepseek = openaiFamily({
  types: [34],
  operations: ['chat', 'completions'],
  dialect: () => chat,
  adjust: (body) => thinkingOf(withSchemaInMessages(oldNames(body))),
  balance: deepseekBalance,
})
