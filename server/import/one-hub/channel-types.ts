import { compatible, custom, type Successor, unsupported } from '#server/import/successor.ts'

/** The same vendor, whatever its number here. */
const native = (type: number, baseUrl = ''): Successor => ({ type, baseUrl })

const byNumber: Readonly<Record<number, Successor>> = {
  1: native(1),
  3: native(3),
  8: { type: custom, baseUrl: '', path: '/v1' },
  11: native(11),
  14: native(14),
  15: native(15),
  16: native(16),
  17: native(17),
  18: native(18),
  20: native(20),
  23: { ...native(23), was: 'Tencent before 2024', doubt: 'its vendor closed the service; check the key' },
  24: unsupported('Azure Speech'),
  25: native(24),
  26: native(26),
  27: native(27),
  28: native(34),
  29: native(25),
  30: native(28),
  31: native(29),
  32: native(32),
  33: native(31),
  34: unsupported('Midjourney'),
  35: native(41),
  36: native(40),
  37: unsupported('Stability AI'),
  38: unsupported('Coze'),
  39: native(30, 'https://ollama.com'),
  40: native(23),
  41: unsupported('Suno'),
  42: native(33),
  44: unsupported('Ideogram'),
  45: native(38),
  46: unsupported('Flux'),
  47: compatible('Jina', 'https://api.jina.ai', '/v1'),
  49: compatible('GitHub Models', 'https://models.inference.ai.azure.com', ''),
  51: unsupported('Recraft'),
  52: unsupported('Replicate'),
  53: unsupported('Kling'),
  54: { was: 'Azure Databricks', type: custom, baseUrl: '' },
  55: native(3),
  56: native(35),
}

/** Vendors that are asked in OpenAI's way when a switch of the channel says so. */
const byOpenAi: Readonly<Record<number, Successor>> = {
  15: compatible('Baidu, OpenAI compatible', 'https://qianfan.baidubce.com', '/v2'),
  17: compatible('Alibaba, OpenAI compatible', 'https://dashscope.aliyuncs.com/compatible-mode', '/v1'),
}

/** A number it has no vendor for is asked in OpenAI's way at the address of the channel. */
const anyAddress = (type: number): Successor => compatible(`type ${type}`, '', '/v1')

interface Ways {
  readonly ownAddress: boolean
  readonly asOpenAi: boolean
  readonly version: string
}

export function successorOf(type: number, { ownAddress, asOpenAi, version }: Ways): Successor {
  if (type === 16 && ownAddress) return compatible('Zhipu', '', '')
  if (asOpenAi && type === 25) {
    return compatible(
      'Gemini, OpenAI compatible',
      'https://generativelanguage.googleapis.com',
      `/${version || 'v1beta'}`,
    )
  }
  return (asOpenAi ? byOpenAi[type] : undefined) ?? byNumber[type] ?? anyAddress(type)
}
