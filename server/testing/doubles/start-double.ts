import { anthropicDouble } from './anthropic.ts'
import { baiduDouble } from './baidu.ts'
import { dashscopeDouble } from './dashscope.ts'
import { type Double, type Protocol, serve } from './double.ts'
import { geminiDouble } from './gemini.ts'
import { minimaxDouble } from './minimax.ts'
import { ollamaDouble } from './ollama.ts'
import { azureDouble, openaiDouble } from './openai.ts'
import { startSparkDouble } from './spark.ts'
import { tencentDouble } from './tencent.ts'
import { zhipuDouble } from './zhipu.ts'

const overHttp = (protocol: Protocol) => (): Double => serve(protocol)

const starters = {
  openai: overHttp(openaiDouble),
  azure: overHttp(azureDouble),
  anthropic: overHttp(anthropicDouble),
  gemini: overHttp(geminiDouble),
  baidu: overHttp(baiduDouble),
  dashscope: overHttp(dashscopeDouble),
  spark: startSparkDouble,
  tencent: overHttp(tencentDouble),
  zhipu: overHttp(zhipuDouble),
  minimax: overHttp(minimaxDouble),
  ollama: overHttp(ollamaDouble),
} satisfies Record<string, () => Double>

export type DoubleKind = keyof typeof starters

/** A vendor on this machine: same protocol, same checks of key and signature, scripted answers (`script.ts`). */
export function startDouble(kind: DoubleKind): Double {
  return starters[kind]()
}
