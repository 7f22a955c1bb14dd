import type { home as source } from '#web/locales/en/home.ts'
import type { Words } from '#web/locales/words.ts'

export const home = {
  welcome: '欢迎使用 {{name}}',
  lead: '一个接口，所有模型。请求会被切换到承载该模型的最佳渠道，并精确计费到每个 token。',
  baseUrl: '接口地址',
  example: '请求示例',
  createToken: '创建令牌',
  readLog: '查看日志',
  logIn: '登录',
  register: '注册',
  facts: '系统状态',
  version: '版本',
  runningSince: '启动时间',
  yourQuota: '你的额度',
  remaining: '剩余 {{amount}}',
  yourRequests: '你的请求次数',
  registration: '注册',
  wechatLogin: '微信登录',
  passwordLogin: '密码登录',
  emailVerification: '邮箱验证',
  githubLogin: 'GitHub 登录',
  botCheck: '人机检查',
  copyBaseUrl: '复制接口地址',
  baseUrlCopied: '接口地址已复制',
  contentFrame: '管理员设置的页面',
} satisfies Words<typeof source>
