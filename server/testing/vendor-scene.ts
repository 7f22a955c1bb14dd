import { api } from '#shared/api/all.ts'
import { isThorough } from '#shared/testing/thoroughness.ts'
import type { Double } from './doubles/double.ts'
import { doubleUsage } from './doubles/script.ts'
import { type DoubleKind, startDouble } from './doubles/start-double.ts'
import { type RelayScene, startRelayScene } from './relay-scene.ts'

export interface Vendor {
  readonly kind: DoubleKind
  readonly type: number
  readonly model: string
  readonly other?: string
  /** What the vendor's protocol has no place for. */
  readonly lacks?: readonly ('tools' | 'images')[]
  /** Tried in every run; the others in the full matrix alone. */
  readonly isCommon?: true
}

/** A channel for every protocol, the dated and the newer address of Azure and both of Zhipu's and DashScope's. */
const allVendors: readonly Vendor[] = [
  { kind: 'openai', type: 1, model: 'gpt-5-mini', isCommon: true },
  { kind: 'azure', type: 3, model: 'azure-dated', other: '2024-10-21' },
  { kind: 'azure', type: 3, model: 'azure-v1' },
  { kind: 'anthropic', type: 14, model: 'claude-sonnet-5', isCommon: true },
  { kind: 'baidu', type: 15, model: 'ERNIE-4.0-8K', lacks: ['images'] },
  { kind: 'zhipu', type: 16, model: 'glm-5' },
  { kind: 'zhipu', type: 16, model: 'chatglm_turbo', lacks: ['tools', 'images'] },
  { kind: 'dashscope', type: 17, model: 'qwen-plus' },
  { kind: 'dashscope', type: 17, model: 'qwen-vl-plus', other: 'plugin' },
  { kind: 'spark', type: 18, model: 'SparkDesk-v3.5', other: 'v3.5', lacks: ['images'] },
  { kind: 'tencent', type: 23, model: 'hunyuan-turbo' },
  { kind: 'gemini', type: 24, model: 'gemini-3-flash', isCommon: true },
  { kind: 'minimax', type: 27, model: 'MiniMax-M2' },
  { kind: 'ollama', type: 30, model: 'llama4' },
]
export const vendors = allVendors.filter(({ isCommon }) => isCommon || isThorough)
export const vendorName = ({ kind, type, model }: Vendor): string => `${kind} (type ${type}, ${model})`

/** A relay with channels to doubles of vendors, each reached by a model of its own. */
export interface VendorScene extends RelayScene {
  /** Starts a double and a channel that carries `model` to it. */
  vendor(
    kind: DoubleKind,
    type: number,
    model: string,
    more?: { other?: string; model_mapping?: string },
  ): Promise<Double>
  /** A channel to each of `vendors`. */
  everyVendor(): Promise<void>
  /** Lets `models` cost what `gpt-4o` costs here: 1 in, 4 out. */
  price(...models: string[]): Promise<void>
}

/** What every answer of a double costs in a scene. */
export const doubleCharge = doubleUsage.input + 4 * doubleUsage.output

export async function startVendorScene(): Promise<VendorScene> {
  const scene = await startRelayScene()
  const doubles: Double[] = []
  const priced = new Set(['gpt-4o'])
  const price: VendorScene['price'] = async (...models) => {
    for (const model of models) priced.add(model)
    const each = (ratio: number) => JSON.stringify(Object.fromEntries([...priced].map((model) => [model, ratio])))
    await scene.root.call(api.options.update, { key: 'ModelRatio', value: each(1) })
    await scene.root.call(api.options.update, { key: 'CompletionRatio', value: each(4) })
  }
  const vendorScene: VendorScene = {
    ...scene,
    price,
    async everyVendor() {
      for (const { kind, type, model, other = '' } of vendors) await vendorScene.vendor(kind, type, model, { other })
    },
    async vendor(kind, type, model, more = {}) {
      const double = startDouble(kind)
      doubles.push(double)
      const { url: base_url, key } = double
      const name = `${kind}-${doubles.length}`
      await scene.root.call(api.channels.create, { name, type, key, models: model, base_url, ...more })
      await price(model)
      return double
    },
    async stop() {
      await scene.stop()
      for (const double of doubles) double.stop()
    },
  }
  return vendorScene
}
