import type { steps as source } from '#web/locales/en/steps.ts'
import type { Words } from '#web/locales/words.ts'

export const steps = {
  done: '已完成 {{done}} / {{count}} 步',
  hide: '隐藏此列表',
  isDone: '已完成',
  toCome: '这里将显示',
  allFields: '全部字段',
  password: {
    title: '更改 root 的密码',
    hint: '初始密码人人皆知。',
    text: '读过文档的人都知道它。',
    go: '更改密码',
  },
  channel: {
    title: '添加渠道',
    hint: '一个服务商和你的密钥。',
    text: '之后可在“渠道”中添加更多。',
    go: '添加并测试',
    fetched: '模型将从此地址读取。',
    noModels: '该地址没有列出任何模型。请在“全部字段”中手动填写。',
    more: '以及此类型的另外 {{count}} 个',
  },
  tested: {
    title: '测试渠道',
    hint: '一个简短的问题。',
    text: '点击渠道旁的“测试”；失败时会说明原因。',
    go: '打开渠道',
  },
  token: {
    title: '创建令牌',
    hint: '你的程序发送的密钥。',
    text: '从你的余额中扣费。',
    go: '创建令牌',
  },
  request: {
    title: '发送第一个请求',
    hint: '请求到达后自动完成。',
    text: '在试用台中，或由程序发送。',
    address: '地址',
    go: '打开试用台',
  },
} satisfies Words<typeof source>
