import type { chat as source } from '#web/locales/en/chat.ts'
import type { Words } from '#web/locales/words.ts'

export const chat = {
  title: '聊天',
} satisfies Words<typeof source>
