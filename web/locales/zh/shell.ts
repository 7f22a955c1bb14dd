import type { shell as source } from '#web/locales/en/shell.ts'
import type { Words } from '#web/locales/words.ts'

export const shell = {
  loading: '正在加载{{page}}...',
  skip: '跳到正文',
  navigation: '主导航',
  groups: { use: '使用', operate: '运营', more: '更多' },
  personal: '个人',
  openMenu: '打开菜单',
  closeMenu: '关闭菜单',
  language: '语言',
  theme: '主题',
  light: '浅色',
  dark: '深色',
  system: '跟随系统',
  welcome: '欢迎页',
  signOut: '退出登录',
  signedOut: '已退出登录',
  accountMenu: '{{name}} 的账户',
  credit: '{{name}} {{version}} · 授权协议：',
  licence: 'MIT 许可证',
  notFound: '页面不存在，请检查你的浏览器地址是否正确',
  goHome: '回到首页',
  crashed: '此页面出了问题。',
  crashedHint: '重新加载通常可以解决。如果不行，请把你的操作告诉管理员。',
  reload: '重新加载',
  noConnection: '无法正常连接至服务器',
} satisfies Words<typeof source>
