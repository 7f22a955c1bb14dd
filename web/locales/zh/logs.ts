import type { logs as source } from '#web/locales/en/logs.ts'
import type { Words } from '#web/locales/words.ts'

export const logs = {
  title: '日志',
} satisfies Words<typeof source>
