import type { reasons as source } from '#web/locales/en/reasons.ts'
import type { Words } from '#web/locales/words.ts'

export const reasons = {
  first: {
    weight: '优先级最高，按权重选择',
    only: '优先级最高的唯一渠道',
    cost: '最高优先级中最便宜',
    latency: '最高优先级中最快',
    sticky: '会话从这里开始',
    pinned: '由调用方指定',
  },
  reserve: {
    priority: '优先级较低：前面的失败后使用',
    weight: '旁边有带权重的渠道：它们失败后使用',
    cost: '比最便宜的贵：其失败后使用',
    latency: '比最快的慢：其失败后使用',
    sticky: '会话在别处：其失败后使用',
  },
  out: {
    disabled: '已禁用',
    group: '服务于其他分组',
    rest: '失败后休息中',
    limit: '已达上限',
    price: '经由它时模型没有价格',
    tools: '模型的这些工具需要该渠道没有的接口',
    operation: '不提供此操作',
    token: '令牌仅限其他模型',
  },
} satisfies Words<typeof source>
