/** USD per million tokens, in and out; `null` where it is not known. */
export interface ShownPrice {
  model: string
  input: number | null
  output: number | null
}

type Ratios = Readonly<Record<string, number>>

/** The ratios a JSON text holds; nothing while it is not right. */
export function ratiosIn(text: string): Ratios {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  } catch {
    return {}
  }
}

const million = 1_000_000

/** Prices by the ratios as they are being edited; what they leave open comes from the prices in force. */
export function previewPrices(
  ratios: { model: Ratios; completion: Ratios; quotaPerUnit: number },
  inForce: readonly ShownPrice[],
): ShownPrice[] {
  const known = new Map(inForce.map((price) => [price.model, price]))
  const names = new Set([...Object.keys(ratios.model), ...Object.keys(ratios.completion)])
  return [...names].map((model) => {
    const own = ratios.model[model]
    const before = known.get(model)
    const input = own === undefined ? (before?.input ?? null) : (own * million) / ratios.quotaPerUnit
    const answerTimes = ratios.completion[model] ?? ratioOf(before)
    return { model, input, output: input === null || answerTimes === null ? null : input * answerTimes }
  })
}

const ratioOf = (price: ShownPrice | undefined): number | null =>
  price?.input && price.output !== null ? price.output / price.input : null
