import type { users as source } from '#web/locales/en/users.ts'
import type { Words } from '#web/locales/words.ts'

export const users = {
  title: '用户',
} satisfies Words<typeof source>
