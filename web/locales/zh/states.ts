import type { states as source } from '#web/locales/en/states.ts'
import type { Words } from '#web/locales/words.ts'

export const states = {
  channel: { 1: '已启用', 2: '已手动禁用', 3: '已自动禁用' },
  token: { 1: '已启用', 2: '已禁用', 3: '已过期', 4: '已耗尽' },
  redemption: { 1: '未使用', 2: '已禁用', 3: '已使用' },
  user: { 1: '已激活', 2: '已封禁' },
  role: { user: '普通用户', admin: '管理员', root: '超级管理员' },
  log: { 0: '全部', 1: '充值', 2: '消费', 3: '管理', 4: '系统', 5: '已拒绝' },
  untested: '未测试',
} satisfies Words<typeof source>
