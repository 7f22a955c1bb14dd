/** Which of our types a channel becomes, and where it points; or why there is nothing like it. */
export type Successor =
  | {
      readonly type: number
      /** What it was called there, where it becomes something else. */
      readonly was?: string
      /** Where it points without an address of its own; '' for the default of ours. */
      readonly baseUrl: string
      /** What its program puts between address and task, where ours would put something else. */
      readonly path?: string
    }
  | { readonly leftOut: string }

const custom = 8

const same = (type: number, baseUrl = ''): Successor => ({ type, baseUrl })
const native = (was: string, type: number): Successor => ({ type, was, baseUrl: '' })
const compatible = (was: string, baseUrl: string, path: string): Successor => ({ type: custom, was, baseUrl, path })
const unknown = (label: string): Successor => ({ leftOut: `${label} channels are not supported` })

/** Its own table: many of its numbers mean something else than with us, or in one-api. */
export const channelTypes: Readonly<Record<number, Successor>> = {
  1: same(1),
  2: unknown('Midjourney'),
  3: same(3),
  4: native('Ollama', 30),
  5: unknown('Midjourney Plus'),
  6: same(6),
  7: same(7),
  8: same(custom),
  9: same(9),
  10: same(10),
  11: same(11),
  12: same(12),
  13: same(13),
  14: same(14),
  15: same(15),
  16: same(16),
  17: same(17),
  18: same(18),
  19: same(19, 'https://api.360.cn'),
  20: same(20),
  21: same(21),
  22: same(22),
  23: same(23),
  24: same(24),
  25: same(25),
  26: native('Zhipu V4', 16),
  27: native('Perplexity', 36),
  31: same(31),
  33: native('AWS', 32),
  34: native('Cohere', 40),
  35: native('MiniMax', 27),
  36: unknown('Suno'),
  37: unknown('Dify'),
  38: compatible('Jina', 'https://api.jina.ai', '/v1'),
  39: native('Cloudflare', 41),
  40: native('SiliconFlow', 38),
  41: native('Vertex AI', 33),
  42: native('Mistral', 28),
  43: native('DeepSeek', 34),
  44: unknown('Moka AI'),
  45: native('Volcengine', 39),
  46: compatible('Baidu V2', 'https://qianfan.baidubce.com', '/v2'),
  47: native('Xinference', 42),
  48: native('xAI', 35),
  49: unknown('Coze'),
  50: unknown('Kling'),
  51: unknown('Jimeng'),
  52: unknown('Vidu'),
  53: compatible('Submodel', 'https://llm.submodel.ai', '/v1'),
  54: unknown('Doubao video'),
  55: unknown('Sora'),
  56: unknown('Replicate'),
  57: unknown('ChatGPT subscription (Codex)'),
  58: unknown('Advanced custom'),
  59: compatible('Sub2API', '', '/v1'),
  60: compatible('new-api', '', '/v1'),
}

/** Words that stand for an address in channels of coding plans. */
export const plans: Readonly<Record<string, string>> = {
  'glm-coding-plan': 'https://open.bigmodel.cn/api/coding/paas/v4',
  'glm-coding-plan-international': 'https://api.z.ai/api/coding/paas/v4',
  'kimi-coding-plan': 'https://api.kimi.com/coding/v1',
  'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3',
}
