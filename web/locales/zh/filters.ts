import type { filters as source } from '#web/locales/en/filters.ts'
import type { Words } from '#web/locales/words.ts'

export const filters = {
  is: '是',
  isNot: '不是',
  remove: '移除筛选 {{field}} {{value}}',
  add: '添加筛选',
  field: '字段',
  how: '方式',
  value: '值',
  none: '此时段没有符合的内容。',
  use: '使用“{{text}}”',
  fieldIsNot: '{{field}} 不是',
  apply: '应用',
} as const satisfies Words<typeof source>
