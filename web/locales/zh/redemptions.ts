import type { redemptions as source } from '#web/locales/en/redemptions.ts'
import type { Words } from '#web/locales/words.ts'

export const redemptions = {
  title: '兑换码',
} satisfies Words<typeof source>
