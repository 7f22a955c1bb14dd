import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Every answer reports one token in and one out, which means nothing. */
const dialect = variantOf(openaiChat, { keeps: (event) => event.type !== 'usage' })

export const fastgpt = openaiFamily({
  types: [22],
  dialect: () => dialect,
  adjust: (body) => ({ ...body, detail: false }),
})
