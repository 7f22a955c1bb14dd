import type { SourceChannel } from './rows.ts'

/** Which of our types a channel becomes, and where it points; or why there is nothing like it. */
export type Successor =
  | {
      readonly type: number
      /** Where it points without an address of its own; '' for our own default. */
      readonly baseUrl: string
      /** What its program puts between address and task, where ours would put something else. */
      readonly path?: string
      /** What it was called there, where it became something else. */
      readonly was?: string
    }
  | { readonly leftOut: string }

const custom = 8

const native = (was: string, type: number): Successor => ({ was, type, baseUrl: '' })
const compatible = (was: string, baseUrl: string, path: string): Successor => ({ was, type: custom, baseUrl, path })
const unknown = (label: string): Successor => ({ leftOut: `${label} channels are not supported` })

/** Types above 31 by number: there they mean something else than with us. Those up to 31 are the same. */
const newer: Readonly<Record<number, Successor>> = {
  32: compatible('StepFun', 'https://api.stepfun.com', '/v1'),
  33: native('AWS', 32),
  34: unknown('Coze'),
  35: native('Cohere', 40),
  36: native('DeepSeek', 34),
  37: native('Cloudflare', 41),
  38: unknown('DeepL'),
  39: native('Together', 37),
  40: native('Doubao', 39),
  41: compatible('Novita', 'https://api.novita.ai/v3/openai', ''),
  42: native('Vertex AI', 33),
  43: unknown('Proxy'),
  44: native('SiliconFlow', 38),
  45: native('xAI', 35),
  46: unknown('Replicate'),
  47: compatible('Baidu V2', 'https://qianfan.baidubce.com', '/v2'),
  48: compatible('iFlytek Spark V2', 'https://spark-api-open.xf-yun.com', '/v1'),
  49: compatible('Alibaba Bailian', 'https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  50: compatible('OpenAI compatible', '', ''),
  51: compatible('Gemini, OpenAI compatible', 'https://generativelanguage.googleapis.com/v1beta/openai', ''),
}

const oldest = 1
const sameUntil = 31

export function successorOf({ type }: Pick<SourceChannel, 'type'>): Successor {
  const found = newer[type]
  if (found) return found
  if (type >= oldest && type <= sameUntil) return { type, baseUrl: '' }
  return { leftOut: `type ${type} is not known` }
}
