import type { settings as source } from '#web/locales/en/settings.ts'
import type { Words } from '#web/locales/words.ts'

export const settings = {
  title: '设置',
} satisfies Words<typeof source>
