import type { topup as source } from '#web/locales/en/topup.ts'
import type { Words } from '#web/locales/words.ts'

export const topup = {
  title: '充值',
} satisfies Words<typeof source>
