import type { about as source } from '#web/locales/en/about.ts'
import type { Words } from '#web/locales/words.ts'

export const about = {
  title: '关于',
  lead: '{{name}} 将请求转发给管理员接入的模型服务商，并记录每个请求的费用。',
  empty: '管理员还没有在这里写任何内容。',
} satisfies Words<typeof source>
