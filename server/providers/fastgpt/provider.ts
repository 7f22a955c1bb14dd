import type { Usage } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

/** Many answers report one token in and one out, which means nothing. */
const isReport = ({ input, output }: Usage): boolean => input > 1 || output > 1

const dialect = variantOf(openaiChat, { keeps: (event) => event.type !== 'usage' || isReport(event.usage) })

export const fastgpt = openaiFamily({
  types: [22],
  dialect: () => dialect,
  adjust: (body) => ({ ...body, detail: false }),
})
