import type { palette as source } from '#web/locales/en/palette.ts'
import type { Words } from '#web/locales/words.ts'

export const palette = {
  open: '搜索或跳转',
} satisfies Words<typeof source>
