import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { withSchemaInMessages } from '#server/providers/form-in-words.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Tool loops of its reasoning models want their earlier `reasoning_content` back. */
const chat = createOpenaiChat({ reasoning: true, cacheControl: false, developer: false })

export const deepseek = openaiFamily({
  types: [34],
  operations: ['chat', 'completions'],
  dialect: () => chat,
  adjust: (body) => withSchemaInMessages(oldNames(body)),
})
