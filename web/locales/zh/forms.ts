import type { forms as source } from '#web/locales/en/forms.ts'
import type { Words } from '#web/locales/words.ts'

export const forms = {
  worth: '价值 {{money}}',
  attention_one: '{{count}} 个字段需要检查',
  attention_other: '{{count}} 个字段需要检查',
  unsaved_one: '{{count}} 处未保存的更改',
  unsaved_other: '{{count}} 处未保存的更改',
  save: '保存更改',
  discard: '放弃更改',
} satisfies Words<typeof source>
