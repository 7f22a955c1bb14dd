import type { failures as source } from '#web/locales/en/failures.ts'
import type { Words } from '#web/locales/words.ts'

export const failures = {
  unreached: '无法连接服务器，请检查网络后重试',
  lostCode: '控制台的一部分无法加载，请检查网络，或重新加载页面',
  tooMany: '请求次数过多，请稍后再试',
  server: '服务器内部错误，请联系管理员',
  demo: '本站仅作演示之用，无服务端',
  other: '错误：{{message}}',
} satisfies Words<typeof source>
