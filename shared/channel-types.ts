import {
  alibabaModels,
  anthropicModels,
  baichuanModels,
  baiduModels,
  bedrockModels,
  cloudflareModels,
  cohereModels,
  compatibleModels,
  deepSeekModels,
  geminiModels,
  groqModels,
  lingyiWanwuModels,
  miniMaxModels,
  mistralModels,
  moonshotModels,
  ollamaModels,
  openAiModels,
  openRouterModels,
  palmModels,
  perplexityModels,
  sparkModels,
  tencentModels,
  xAiModels,
  zhinaoModels,
  zhipuModels,
} from './channel-models.ts'

export type ChannelColor =
  | 'green'
  | 'blue'
  | 'olive'
  | 'teal'
  | 'brown'
  | 'violet'
  | 'purple'
  | 'pink'
  | 'yellow'
  | 'orange'
  | 'black'
  | 'red'

/** How the console shows a balance; `yuan-per-10000` is a count of ten-thousandths of a yuan. */
export type BalanceUnit = 'usd' | 'yuan' | 'yuan-per-10000' | 'quota'

/** What the free field of a channel means for its type. */
export interface OtherField {
  readonly label: string
  readonly defaultValue: string
  readonly help: string
}

export interface ChannelType {
  readonly id: number
  readonly label: string
  readonly color: ChannelColor
  /** Empty: the channel has to bring its own. */
  readonly baseUrl: string
  /** The shape of a key that is more than one opaque word. */
  readonly keyHint: string | null
  readonly keyHelp: string | null
  readonly other: OtherField | null
  /** `null`: the provider does not report it. */
  readonly balanceUnit: BalanceUnit | null
  readonly models: readonly string[]
}

const plain = { keyHint: null, keyHelp: null, other: null, balanceUnit: null }
const openAiNames = { ...plain, models: openAiModels }

const azureVersion: OtherField = {
  label: 'API version',
  defaultValue: '2024-03-01-preview',
  help: 'Sent as api-version. With v1 or preview, requests go to the /openai/v1 endpoint and the model is the deployment.',
}

const sparkVersion: OtherField = {
  label: 'Model version',
  defaultValue: 'v2.1',
  help: 'Used when the model name carries no version: v1.1, v2.1, v3.1, v3.5 or v4.0.',
}

const geminiVersion: OtherField = { label: 'API version', defaultValue: '', help: 'Empty means v1beta.' }

const dashScopePlugin: OtherField = {
  label: 'Plugin parameters',
  defaultValue: '',
  help: 'Sent as the X-DashScope-Plugin header; leave empty to send none.',
}

const libraryId: OtherField = { label: 'Knowledge base ID', defaultValue: '', help: 'The library that answers.' }

const vertexRegion: OtherField = {
  label: 'Region',
  defaultValue: 'us-central1',
  help: 'Where the models run; global too.',
}

const cloudflareAccount: OtherField = {
  label: 'Account ID',
  defaultValue: '',
  help: 'The account whose Workers AI answers.',
}

const google = 'https://generativelanguage.googleapis.com'

/** Every kind of channel, in the order menus show them. */
export const channelTypes: readonly ChannelType[] = [
  { ...openAiNames, id: 1, label: 'OpenAI', color: 'green', baseUrl: 'https://api.openai.com', balanceUnit: 'usd' },
  {
    ...plain,
    id: 14,
    label: 'Anthropic Claude',
    color: 'black',
    baseUrl: 'https://api.anthropic.com',
    models: anthropicModels,
  },
  { ...openAiNames, id: 3, label: 'Azure OpenAI', color: 'olive', baseUrl: '', other: azureVersion },
  { ...plain, id: 11, label: 'Google PaLM 2', color: 'orange', baseUrl: google, models: palmModels },
  {
    ...plain,
    id: 24,
    label: 'Google Gemini',
    color: 'orange',
    baseUrl: google,
    other: geminiVersion,
    models: geminiModels,
  },
  { ...plain, id: 28, label: 'Mistral AI', color: 'orange', baseUrl: 'https://api.mistral.ai', models: mistralModels },
  {
    ...plain,
    id: 15,
    label: 'Baidu Wenxin Qianfan (ERNIE)',
    color: 'blue',
    baseUrl: 'https://aip.baidubce.com',
    keyHint: 'APIKey|SecretKey',
    keyHelp: 'A key without | (bce-v3/ALTAK-…) uses the OpenAI-shaped endpoint.',
    models: baiduModels,
  },
  {
    ...plain,
    id: 17,
    label: 'Alibaba Tongyi Qianwen',
    color: 'orange',
    baseUrl: 'https://dashscope.aliyuncs.com',
    other: dashScopePlugin,
    models: alibabaModels,
  },
  {
    ...plain,
    id: 18,
    label: 'iFlytek Spark',
    color: 'blue',
    baseUrl: 'wss://spark-api.xf-yun.com',
    keyHint: 'APPID|APISecret|APIKey',
    keyHelp: 'A key without | is an APIPassword and uses the HTTP endpoint.',
    other: sparkVersion,
    models: sparkModels,
  },
  {
    ...plain,
    id: 16,
    label: 'Zhipu ChatGLM',
    color: 'violet',
    baseUrl: 'https://open.bigmodel.cn',
    keyHint: 'id.secret',
    models: zhipuModels,
  },
  { ...plain, id: 19, label: '360 Zhinao', color: 'blue', baseUrl: 'https://ai.360.cn', models: zhinaoModels },
  {
    ...plain,
    id: 25,
    label: 'Moonshot AI',
    color: 'black',
    baseUrl: 'https://api.moonshot.cn',
    balanceUnit: 'yuan',
    models: moonshotModels,
  },
  {
    ...plain,
    id: 23,
    label: 'Tencent Hunyuan',
    color: 'teal',
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    keyHint: 'AppId|SecretId|SecretKey',
    keyHelp: 'A key without | uses the OpenAI-shaped endpoint.',
    models: tencentModels,
  },
  {
    ...plain,
    id: 26,
    label: 'Baichuan',
    color: 'orange',
    baseUrl: 'https://api.baichuan-ai.com',
    models: baichuanModels,
  },
  { ...plain, id: 27, label: 'MiniMax', color: 'red', baseUrl: 'https://api.minimax.chat', models: miniMaxModels },
  { ...plain, id: 29, label: 'Groq', color: 'orange', baseUrl: 'https://api.groq.com/openai', models: groqModels },
  { ...plain, id: 30, label: 'Ollama', color: 'black', baseUrl: 'http://localhost:11434', models: ollamaModels },
  {
    ...plain,
    id: 31,
    label: '01.AI (Lingyi Wanwu)',
    color: 'green',
    baseUrl: 'https://api.lingyiwanwu.com',
    models: lingyiWanwuModels,
  },
  {
    ...plain,
    id: 32,
    label: 'AWS Bedrock',
    color: 'orange',
    baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    keyHint: 'AccessKeyId|SecretAccessKey|Region',
    models: bedrockModels,
  },
  {
    ...plain,
    id: 33,
    label: 'Google Vertex AI',
    color: 'blue',
    baseUrl: 'https://aiplatform.googleapis.com',
    keyHelp: 'The JSON of a service account, over as many lines as it has.',
    other: vertexRegion,
    models: [
      ...geminiModels.filter((model) => model.startsWith('gemini-') && !model.includes('embedding')),
      ...anthropicModels,
    ],
  },
  {
    ...plain,
    id: 34,
    label: 'DeepSeek',
    color: 'blue',
    baseUrl: 'https://api.deepseek.com',
    models: deepSeekModels,
    balanceUnit: 'yuan',
  },
  { ...plain, id: 35, label: 'xAI', color: 'black', baseUrl: 'https://api.x.ai', models: xAiModels },
  {
    ...plain,
    id: 36,
    label: 'Perplexity',
    color: 'teal',
    baseUrl: 'https://api.perplexity.ai',
    models: perplexityModels,
  },
  {
    ...plain,
    id: 37,
    label: 'Together',
    color: 'violet',
    baseUrl: 'https://api.together.xyz',
    models: compatibleModels,
  },
  {
    ...plain,
    id: 38,
    label: 'SiliconFlow',
    color: 'purple',
    baseUrl: 'https://api.siliconflow.cn',
    models: compatibleModels,
    balanceUnit: 'yuan',
  },
  {
    ...plain,
    id: 39,
    label: 'Volcengine Ark',
    color: 'red',
    baseUrl: 'https://ark.cn-beijing.volces.com',
    models: deepSeekModels,
  },
  { ...plain, id: 40, label: 'Cohere', color: 'green', baseUrl: 'https://api.cohere.com', models: cohereModels },
  {
    ...plain,
    id: 41,
    label: 'Cloudflare',
    color: 'orange',
    baseUrl: 'https://api.cloudflare.com',
    other: cloudflareAccount,
    models: cloudflareModels,
  },
  { ...plain, id: 42, label: 'Xinference', color: 'brown', baseUrl: 'http://localhost:9997', models: ollamaModels },
  {
    ...plain,
    id: 8,
    label: 'Custom channel',
    color: 'pink',
    baseUrl: '',
    balanceUnit: 'usd',
    models: [...openAiModels, ...compatibleModels],
  },
  {
    ...openAiNames,
    id: 22,
    label: 'Knowledge base: FastGPT',
    color: 'blue',
    baseUrl: 'https://fastgpt.run/api/openapi',
    keyHint: 'APIKey-AppId',
  },
  {
    ...openAiNames,
    id: 21,
    label: 'Knowledge base: AI Proxy',
    color: 'purple',
    baseUrl: 'https://api.aiproxy.io',
    other: libraryId,
  },
  {
    ...plain,
    id: 20,
    label: 'Proxy: OpenRouter',
    color: 'black',
    baseUrl: 'https://openrouter.ai/api',
    balanceUnit: 'usd',
    models: openRouterModels,
  },
  { ...openAiNames, id: 2, label: 'Proxy: API2D', color: 'blue', baseUrl: 'https://oa.api2d.net' },
  {
    ...openAiNames,
    id: 5,
    label: 'Proxy: OpenAI-SB',
    color: 'brown',
    baseUrl: 'https://api.openai-sb.com',
    balanceUnit: 'yuan-per-10000',
  },
  { ...openAiNames, id: 7, label: 'Proxy: OhMyGPT', color: 'purple', baseUrl: 'https://api.ohmygpt.com' },
  {
    ...openAiNames,
    id: 10,
    label: 'Proxy: AI Proxy',
    color: 'purple',
    baseUrl: 'https://api.aiproxy.io',
    balanceUnit: 'quota',
  },
  {
    ...openAiNames,
    id: 4,
    label: 'Proxy: CloseAI',
    color: 'teal',
    baseUrl: 'https://api.closeai-proxy.xyz',
    balanceUnit: 'yuan',
  },
  { ...openAiNames, id: 6, label: 'Proxy: OpenAI Max', color: 'violet', baseUrl: 'https://api.openaimax.com' },
  { ...openAiNames, id: 9, label: 'Proxy: AI.LS', color: 'yellow', baseUrl: 'https://api.caipacity.com' },
  {
    ...openAiNames,
    id: 12,
    label: 'Proxy: API2GPT',
    color: 'blue',
    baseUrl: 'https://api.api2gpt.com',
    balanceUnit: 'yuan',
  },
  {
    ...openAiNames,
    id: 13,
    label: 'Proxy: AIGC2D',
    color: 'purple',
    baseUrl: 'https://api.aigc2d.com',
    balanceUnit: 'quota',
  },
]

export const channelTypeIds: readonly number[] = channelTypes.map((type) => type.id)

export const channelTypeOf = (id: number): ChannelType | undefined => channelTypes.find((type) => type.id === id)

export const isChannelType = (id: number): boolean => channelTypeOf(id) !== undefined

/** Type id → model names, as `GET /api/models` answers it. */
export const modelsByChannelType: Record<string, string[]> = Object.fromEntries(
  channelTypes.map((type) => [String(type.id), [...type.models]]),
)
