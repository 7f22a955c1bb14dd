import { compatible, type Successor, unsupported } from '#server/import/successor.ts'
import type { SourceChannel } from './rows.ts'

const native = (was: string, type: number): Successor => ({ was, type, baseUrl: '' })

/** Types above 31 by number: there they mean something else than with us. Those up to 31 are the same. */
const newer: Readonly<Record<number, Successor>> = {
  32: compatible('StepFun', 'https://api.stepfun.com', '/v1'),
  33: native('AWS', 32),
  34: unsupported('Coze'),
  35: native('Cohere', 40),
  36: native('DeepSeek', 34),
  37: native('Cloudflare', 41),
  38: unsupported('DeepL'),
  39: native('Together', 37),
  40: native('Doubao', 39),
  41: compatible('Novita', 'https://api.novita.ai/v3/openai', ''),
  42: native('Vertex AI', 33),
  43: unsupported('Proxy'),
  44: native('SiliconFlow', 38),
  45: native('xAI', 35),
  46: unsupported('Replicate'),
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
