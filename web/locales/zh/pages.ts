import type { pages as source } from '#web/locales/en/pages.ts'
import type { Words } from '#web/locales/words.ts'

export const pages = {
  home: '首页',
  channels: '渠道',
  tokens: '令牌',
  redemptions: '兑换码',
  topup: '充值',
  users: '用户',
  log: '日志',
  settings: '设置',
  about: '关于',
  chat: '聊天',
  login: '登录',
  register: '注册',
  reset: '重置密码',
  oauth: 'GitHub 登录',
  channelAdd: '添加渠道',
  channelEdit: '编辑渠道',
  tokenAdd: '添加令牌',
  tokenEdit: '编辑令牌',
  redemptionAdd: '添加兑换码',
  redemptionEdit: '编辑兑换码',
  userAdd: '添加用户',
  userEdit: '编辑用户',
  profile: '编辑个人信息',
  notFound: '页面不存在',
} satisfies Words<typeof source>
