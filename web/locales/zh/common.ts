import type { common as source } from '#web/locales/en/common.ts'
import type { Words } from '#web/locales/words.ts'

export const common = {
  close: '关闭',
  cancel: '取消',
  copy: '复制',
  copied: '已复制',
  copyByHand: '浏览器不允许复制，请手动复制',
  delete: '删除',
  edit: '编辑',
  refresh: '刷新',
  more: '更多',
  never: '永不过期',
  unknown: '未知',
  unlimited: '无限额度',
  none: '–',
  on: '开启',
  off: '关闭',
  optional: '可选',
  done: '操作成功完成',
  showPassword: '显示或隐藏密码',
  deleteNamed: '删除 {{name}}',
  editNamed: '编辑 {{name}}',
  copyNamed: '复制 {{name}}',
  actionsFor: '{{name}} 的操作',
  menuOf: '{{action}} {{name}}：更多选项',
} satisfies Words<typeof source>
