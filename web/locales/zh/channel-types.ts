import type { ChannelTypeWords } from '#web/locales/locale.ts'

/** Channel types by id. What is missing here is called as its row in `shared/channel-types.ts` calls it. */
export const channelTypes: ChannelTypeWords = {
  2: { label: '代理：API2D' },
  3: {
    otherLabel: 'API 版本',
    otherHelp: '作为 api-version 发送。填 v1 或 preview 时，请求发往 /openai/v1 端点，模型名即部署名。',
  },
  4: { label: '代理：CloseAI' },
  5: { label: '代理：OpenAI-SB' },
  6: { label: '代理：OpenAI Max' },
  7: { label: '代理：OhMyGPT' },
  8: { label: '自定义渠道' },
  9: { label: '代理：AI.LS' },
  10: { label: '代理：AI Proxy' },
  12: { label: '代理：API2GPT' },
  13: { label: '代理：AIGC2D' },
  15: { label: '百度文心千帆', keyHelp: '不含 | 的密钥（bce-v3/ALTAK-…）使用 OpenAI 兼容端点。' },
  16: { label: '智谱 ChatGLM' },
  17: {
    label: '阿里通义千问',
    otherLabel: '插件参数',
    otherHelp: '作为 X-DashScope-Plugin 请求头发送；留空则不发送。',
  },
  18: {
    label: '讯飞星火认知',
    keyHelp: '不含 | 的密钥视为 APIPassword，使用 HTTP 端点。',
    otherLabel: '模型版本',
    otherHelp: '模型名不带版本时使用：v1.1、v2.1、v3.1、v3.5 或 v4.0。',
  },
  19: { label: '360 智脑' },
  20: { label: '代理：OpenRouter' },
  21: { label: '知识库：AI Proxy', otherLabel: '知识库 ID', otherHelp: '负责应答的知识库。' },
  22: { label: '知识库：FastGPT' },
  23: { label: '腾讯混元', keyHelp: '不含 | 的密钥使用 OpenAI 兼容端点。' },
  24: { otherLabel: 'API 版本', otherHelp: '留空表示 v1beta。' },
  26: { label: '百川大模型' },
  31: { label: '零一万物' },
}
