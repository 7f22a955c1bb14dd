import type { topup as source } from '#web/locales/en/topup.ts'
import type { Words } from '#web/locales/words.ts'

export const topup = {
  history: '充值记录',
  noHistory: '还没有兑换过。',
  allOf: '全部 {{count}} 条',
  title: '充值',
  remaining: '剩余额度',
  used: '已用额度',
  requests: '请求次数',
  code: '兑换码',
  codeHelp: '兑换码由字母和数字组成，首尾的空格会被忽略。',
  getCode: '获取兑换码',
  redeem: '兑换',
  empty: '请输入充值码',
  noLink: '超级管理员未设置充值链接',
  done: '充值成功：增加 {{amount}}',
  failed: '请求失败',
} satisfies Words<typeof source>
