import type { table as source } from '#web/locales/en/table.ts'
import type { Words } from '#web/locales/words.ts'

export const table = {
  actions: '操作',
  search: '搜索',
  clearSearch: '清除搜索',
  order: '排序方式',
  range: '第 {{from}}–{{to}} 条，共 {{total}} 条',
  total: '共 {{count}} 条',
  pages: '分页',
  page: '第 {{page}} 页',
  nextPage: '下一页',
  previousPage: '上一页',
  noHit: '没有与“{{keyword}}”匹配的内容。',
  emptyPage: '这一页没有数据。',
  firstPage: '回到第一页',
  dismiss: '不再显示此提示',
  saved: '已保存',
  noBudget: '无预算',
  budgetResets: '{{time}} 重新开始',
  percentOf: '{{total}} 的 {{percent}}%',
  remainingOf: '{{remaining}} / {{total}}',
} satisfies Words<typeof source>
