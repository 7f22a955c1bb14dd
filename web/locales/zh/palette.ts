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
  explain: '解释 {{model}} 的路由',
  requestsThrough: '经由 {{name}} 的请求',
  changesOf: '{{name}} 的更改',
  request: '请求 {{id}}',
  recent: '最近访问',
  hint: '也可输入 ID、密钥和请求编号',
  none: '没有“{{words}}”的结果',
  searchLog: '在日志中搜索令牌“{{words}}”',
  move: '移动',
  go: '打开',
  newTab: '新标签页',
  allKeys: '键盘快捷键',
  searchPage: '在本页搜索',
  letters: '单个字母用作快捷键',
} satisfies Words<typeof source>
