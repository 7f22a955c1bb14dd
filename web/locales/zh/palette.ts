import type { palette as source } from '#web/locales/en/palette.ts'
import type { Words } from '#web/locales/words.ts'

export const palette = {
  open: '搜索或跳转',
  results: '结果',
  pages: '页面',
  do: '操作',
  dark: '切换到深色主题',
  light: '切换到浅色主题',
  language: '语言：{{name}}',
  none: '没有“{{words}}”的结果',
  searchLog: '在日志中搜索令牌“{{words}}”',
  move: '移动',
  go: '打开',
  newTab: '新标签页',
  allKeys: '键盘快捷键',
  searchPage: '在本页搜索',
  letters: '单个字母用作快捷键',
} satisfies Words<typeof source>
