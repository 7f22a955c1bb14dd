import { api } from '#shared/api/all.ts'
import type { Double } from './doubles/double.ts'
import { doubleUsage } from './doubles/script.ts'
import { type DoubleKind, startDouble } from './doubles/start-double.ts'
import { type RelayScene, startRelayScene } from './relay-scene.ts'

/** A relay with channels to doubles of vendors, each reached by a model of its own. */
export interface VendorScene extends RelayScene {
  /** Starts a double and a channel that carries `model` to it. */
  vendor(
    kind: DoubleKind,
    type: number,
    model: string,
    more?: { other?: string; model_mapping?: string },
  ): Promise<Double>
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
  return {
    ...scene,
    price,
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
}
