import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type PriceRow, pricesApi } from '#shared/api/prices.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'

export const priceFields = ['input_usd', 'cache_read_usd', 'output_usd'] as const
export type PriceField = (typeof priceFields)[number]

type Texts = Partial<Record<PriceField, string>>

export interface PriceDraft {
  readonly count: number
  readonly saving: boolean
  textOf: (row: PriceRow, field: PriceField) => string
  isEdited: (row: PriceRow, field?: PriceField) => boolean
  change: (row: PriceRow, field: PriceField, text: string) => void
  save: () => void
  discard: () => void
}

const shown = (row: PriceRow, field: PriceField): string => (row[field] === null ? '' : String(row[field]))

const numberIn = (text: string): number | undefined => {
  const number = Number(text.trim())
  return text.trim() === '' || Number.isNaN(number) ? undefined : number
}

/** Prices are collected and saved together: each touches everyone's next bill. */
export function usePriceDraft(onSaved: () => unknown): PriceDraft {
  const { t } = useTranslation()
  const [edits, setEdits] = useState<ReadonlyMap<string, { row: PriceRow; texts: Texts }>>(new Map())
  const saving = useMutation({
    mutationFn: async () => {
      for (const { row, texts } of edits.values()) {
        const usd = (field: PriceField) => numberIn(texts[field] ?? shown(row, field))
        const output_usd = usd('output_usd')
        const cache_read_usd = usd('cache_read_usd')
        const prices = { input_usd: usd('input_usd') ?? 0, ...(output_usd === undefined ? {} : { output_usd }) }
        const cache = cache_read_usd === undefined ? {} : { cache_read_usd }
        const isByRequest = row.unit === 'request'
        const price = isByRequest ? { per_request_usd: prices.input_usd } : { ...prices, ...cache }
        await call(pricesApi.set, { model: row.model, ...price })
      }
    },
    onSuccess: () => {
      setEdits(new Map())
      toast.success(t('prices.saved'))
    },
    onSettled: onSaved,
  })
  const textOf: PriceDraft['textOf'] = (row, field) => edits.get(row.model)?.texts[field] ?? shown(row, field)
  return {
    count: edits.size,
    saving: saving.isPending,
    textOf,
    isEdited: (row, field) => {
      const texts = edits.get(row.model)?.texts
      return texts !== undefined && (field === undefined || texts[field] !== undefined)
    },
    change: (row, field, text) =>
      setEdits((before) => {
        const { [field]: _, ...others } = before.get(row.model)?.texts ?? {}
        const texts: Texts = text === shown(row, field) ? others : { ...others, [field]: text }
        const next = new Map(before)
        if (Object.keys(texts).length === 0) next.delete(row.model)
        else next.set(row.model, { row, texts })
        return next
      }),
    save: () => saving.mutate(),
    discard: () => setEdits(new Map()),
  }
}
