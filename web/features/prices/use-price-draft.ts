import { useState } from 'react'
import { type PriceRow, pricesApi } from '#shared/api/prices.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readUsd } from '#web/lib/input/typed-number.ts'
import { isWithoutOutput } from '#web/lib/usd.ts'
import { chargedAt, type TokenPrice } from './effect.ts'

export const priceFields = ['input_usd', 'cache_read_usd', 'output_usd'] as const
export type PriceField = (typeof priceFields)[number]

const pieces: ReadonlySet<PriceRow['unit']> = new Set(['picture', 'second', 'character'])

/** The prices a model has: three by token, otherwise one. */
export const fieldsOf = ({ unit }: PriceRow): readonly PriceField[] => (unit === 'token' ? priceFields : ['input_usd'])

type Texts = Partial<Record<PriceField, string>>
type Edits = ReadonlyMap<string, { row: PriceRow; texts: Texts }>

export interface PriceDraft {
  readonly count: number
  readonly saving: boolean
  /** Fields with something else than an amount; nothing is saved while there are any. */
  readonly wrong: number
  /** What all of it would have meant for the last 30 days; quota. */
  readonly effect: number
  textOf: (row: PriceRow, field: PriceField) => string
  isEdited: (row: PriceRow, field?: PriceField) => boolean
  isWrong: (row: PriceRow, field: PriceField) => boolean
  /** What the last 30 days would have brought at the price as typed; null where nothing would change. */
  chargedFor: (row: PriceRow) => number | null
  /** What the prices that follow the input are multiplied by, as typed. */
  factorOf: (row: PriceRow) => number
  change: (row: PriceRow, field: PriceField, text: string) => void
  /** Forgets what was typed for a model. */
  takeBack: (model: string) => void
  save: () => void
  discard: () => void
}

/** Whether a field shows a price: not output where there is none, nor cached input at the price of input. */
const hasOwn = (row: PriceRow, field: PriceField): boolean =>
  field === 'output_usd' ? !isWithoutOutput(row) : field === 'input_usd' || row.cache_read_usd !== row.input_usd

/** Two decimals at least, and all it has. */
const exactly = (usd: number): string => {
  const text = String(usd)
  const [, decimals = ''] = text.split('.')
  return text.includes('e') || decimals.length > 2 ? text : usd.toFixed(2)
}

const atRest = (row: PriceRow, field: PriceField): string => {
  const usd = row[field]
  return usd === null || !hasOwn(row, field) ? '' : exactly(usd)
}

/** Fields with invalid text. An empty input price is invalid too: the model would be free. */
const isWrongText = (text: string | undefined, field: PriceField): boolean =>
  text !== undefined && readUsd(text) === undefined && (text.trim() !== '' || field === 'input_usd')

function typedPrice(row: PriceRow, texts: Texts): TokenPrice {
  const usd = (field: PriceField) => {
    const text = texts[field]
    return text === undefined ? row[field] : (readUsd(text) ?? null)
  }
  const input_usd = usd('input_usd')
  const follows = texts.cache_read_usd === undefined && row.input_usd !== null && !hasOwn(row, 'cache_read_usd')
  return { input_usd, cache_read_usd: follows ? input_usd : usd('cache_read_usd'), output_usd: usd('output_usd') }
}

function priceInputOf(row: PriceRow, texts: Texts) {
  const { input_usd, cache_read_usd, output_usd } = typedPrice(row, texts)
  if (row.unit === 'request') return { model: row.model, per_request_usd: input_usd ?? 0 }
  if (pieces.has(row.unit)) return { model: row.model, each_usd: input_usd ?? 0 }
  return {
    model: row.model,
    input_usd: input_usd ?? 0,
    ...(output_usd === null ? {} : { output_usd }),
    ...(cache_read_usd === null ? {} : { cache_read_usd }),
  }
}

/** Prices are collected and saved together: each touches everyone's next bill. */
export function usePriceDraft(onSaved: () => unknown): PriceDraft {
  const { t } = useTranslation()
  const undoable = useUndoToast()
  const [edits, setEdits] = useState<Edits>(new Map())
  const [saving, run] = useRunning()
  const isWrong: PriceDraft['isWrong'] = (row, field) => isWrongText(edits.get(row.model)?.texts[field], field)
  const wrong = [...edits.values()].flatMap(({ row }) => priceFields.filter((field) => isWrong(row, field))).length
  const drop = (model: string) => setEdits((before) => new Map([...before].filter(([name]) => name !== model)))
  const save = async () => {
    const all = [...edits.values()]
    try {
      for (const { row, texts } of all) {
        await reporting(call(pricesApi.set, priceInputOf(row, texts)))
        drop(row.model)
      }
      const [only] = all
      await undoable(t('prices.saved'), { kind: 'price', target: all.length === 1 ? (only?.row.model ?? '') : '' })
    } finally {
      await onSaved()
    }
  }
  const textOf: PriceDraft['textOf'] = (row, field) => edits.get(row.model)?.texts[field] ?? atRest(row, field)
  const factorOf: PriceDraft['factorOf'] = (row) => {
    const { input_usd } = typedPrice(row, edits.get(row.model)?.texts ?? {})
    return row.input_usd ? (input_usd ?? 0) / row.input_usd : 1
  }
  const chargedFor: PriceDraft['chargedFor'] = (row) => {
    const texts = edits.get(row.model)?.texts
    if (!texts || !row.traffic) return null
    return row.unit === 'token'
      ? chargedAt(row, typedPrice(row, texts), row.traffic)
      : row.traffic.quota * factorOf(row)
  }
  return {
    count: edits.size,
    saving,
    effect: [...edits.values()].reduce((sum, { row }) => sum + (chargedFor(row) ?? 0) - (row.traffic?.quota ?? 0), 0),
    textOf,
    isEdited: (row, field) => {
      const texts = edits.get(row.model)?.texts
      return texts !== undefined && (field === undefined || texts[field] !== undefined)
    },
    isWrong,
    wrong,
    chargedFor,
    factorOf,
    change: (row, field, text) =>
      setEdits((before) => {
        const { [field]: _, ...others } = before.get(row.model)?.texts ?? {}
        const texts: Texts = text === atRest(row, field) ? others : { ...others, [field]: text }
        const next = new Map(before)
        if (Object.keys(texts).length === 0) next.delete(row.model)
        else next.set(row.model, { row, texts })
        return next
      }),
    takeBack: drop,
    save: () => void (wrong === 0 && run(save)),
    discard: () => setEdits(new Map()),
  }
}
