import type { connect as source } from '#web/locales/en/connect.ts'
import type { Words } from '#web/locales/words.ts'

export const connect = {
  open: '接入',
  title: '使用 {{name}} 接入',
  clients: '客户端',
  smallModel: '小模型',
  system: '系统',
  systems: { unix: 'macOS、Linux', windows: 'Windows' },
  copyAll: '复制设置',
  model: '模型',
  steps: {
    shell: '写入终端环境',
    codexFile: '写入 ~/.codex/config.toml',
    geminiFile: '将以下内容写入 ~/.gemini/settings.json',
    start: '启动',
    install: '安装库',
    cursor: '在设置的模型页中填写',
    cline: '在 Cline 的设置中填写',
    run: '运行',
  },
  test: '确认可用',
  send: '发送测试请求',
  answered: '{{time}} 内收到回答',
  covered: '复制的是完整密钥；屏幕上保持遮盖。',
  showKey: '显示密钥',
  coverKey: '遮盖密钥',
} satisfies Words<typeof source>
