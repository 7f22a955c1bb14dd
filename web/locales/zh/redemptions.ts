import type { redemptions as source } from '#web/locales/en/redemptions.ts'
import type { Words } from '#web/locales/words.ts'

export const redemptions = {
  bulkDeleteText: '这些兑换码将无法再使用。',
  title: '兑换码',
  add: '添加兑换码',
  search: '按 ID 或名称搜索',
  id: 'ID',
  name: '名称',
  status: '状态',
  quota: '额度',
  created: '创建时间',
  redeemed: '兑换时间',
  notRedeemed: '尚未兑换',
  deleteTitle: '删除兑换码 {{name}}？',
  deleteText: '持有该兑换码的人将无法兑换。此操作无法撤销。',
  empty: '还没有兑换码。',
  emptyHint: '兑换码可为兑换它的账户增加额度。创建一些并分发出去。',
  createdToast: '兑换码创建成功',
  updatedToast: '兑换码更新成功',
  submitAdd: '创建兑换码',
  section: '兑换码',
  sectionHint: '兑换码的名称和价值。',
  sectionHintAdd: '兑换码的名称和每个的价值。创建后会下载为文本文件。',
  count: '生成数量',
  countHelp: '一次最多 {{max}} 个。',
} satisfies Words<typeof source>
