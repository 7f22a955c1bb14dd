import type { tokens as source } from '#web/locales/en/tokens.ts'
import type { Words } from '#web/locales/words.ts'

export const tokens = {
  title: '令牌',
} satisfies Words<typeof source>
