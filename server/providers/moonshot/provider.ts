import { moonshotBalance } from '#server/providers/balances.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

export const moonshot = openaiFamily({
  types: [25],
  // This model takes no temperature but 1.
  adjust(body, target) {
    const isFixed = target.model.startsWith('kimi-k2.6') && body.temperature !== undefined
    return isFixed ? { ...oldNames(body), temperature: 1 } : oldNames(body)
  },
  balance: moonshotBalance,
})
