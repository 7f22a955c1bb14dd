/** What becomes of a channel type that is not among ours: another type, or nothing. */
export type Successor =
  | { readonly type: number; readonly baseUrl: string; readonly check?: true }
  | { readonly skipped: string }

const custom = 8
const native = (type: number): Successor => ({ type, baseUrl: '' })
const compatible = (baseUrl: string): Successor => ({ type: custom, baseUrl })
const uncertain = (baseUrl: string): Successor => ({ type: custom, baseUrl, check: true })
const skipped = (label: string): Successor => ({ skipped: label })

/** Types of newer one-api versions by number. `check` marks those whose address a person should look at first. */
export const foreignChannelTypes: Readonly<Record<number, Successor>> = {
  32: compatible('https://api.stepfun.com'),
  33: skipped('AWS'),
  34: skipped('Coze'),
  35: skipped('Cohere'),
  36: compatible('https://api.deepseek.com'),
  37: skipped('Cloudflare'),
  38: skipped('DeepL'),
  39: compatible('https://api.together.xyz'),
  40: compatible('https://ark.cn-beijing.volces.com/api/v3'),
  41: uncertain('https://api.novita.ai/openai'),
  42: skipped('Vertex AI'),
  43: skipped('Proxy'),
  44: compatible('https://api.siliconflow.cn'),
  45: compatible('https://api.x.ai'),
  46: skipped('Replicate'),
  47: native(15),
  48: native(18),
  49: compatible('https://dashscope.aliyuncs.com/compatible-mode'),
  50: uncertain(''),
  51: native(24),
}
