import type { forms as source } from '#web/locales/en/forms.ts'
import type { Words } from '#web/locales/words.ts'

export const forms = {
  worth: '价值 {{money}}',
  dollarsToo: '请输入整数，或美元金额，例如 $12.50。',
  attention_one: '{{count}} 个字段需要检查',
  attention_other: '{{count}} 个字段需要检查',
  unsaved_one: '{{count}} 处未保存的更改',
  unsaved_other: '{{count}} 处未保存的更改',
  save: '保存更改',
  discard: '放弃更改',
  jsonAt: '第 {{line}} 行第 {{column}} 列：',
  pickTime: '{{label}}：选择日期和时间',
  pickDone: '完成',
  nextMonth: '下个月',
  previousMonth: '上个月',
  chooseMonth: '选择月份',
  chooseYear: '选择年份',
  hours: '时',
  minutes: '分',
  seconds: '秒',
  cannotLoad: '无法加载内容。',
} satisfies Words<typeof source>
