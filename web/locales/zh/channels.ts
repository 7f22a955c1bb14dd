import type { channels as source } from '#web/locales/en/channels.ts'
import type { Words } from '#web/locales/words.ts'

export const channels = {
  title: '渠道',
} satisfies Words<typeof source>
