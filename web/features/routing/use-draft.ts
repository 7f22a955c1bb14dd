import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { readStored, store } from '#web/lib/storage.ts'
import { withFields } from '#web/lib/table-address.ts'

/** What the draft changes of a channel. */
const Edit = z.object({
  priority: z.number().int().optional(),
  weight: z.number().int().min(0).optional(),
  status: z.number().int().min(1).max(2).optional(),
})
export type ChannelEdit = z.output<typeof Edit>

/** Dollars a million tokens. */
const Price = z.object({ input_usd: z.number().min(0), output_usd: z.number().min(0).optional() })
export type DraftPrice = z.output<typeof Price>

const Draft = z.object({
  channels: z.record(z.string(), Edit).default({}),
  prices: z.record(z.string(), Price).default({}),
})
type Draft = z.output<typeof Draft>

const nothing: Draft = { channels: {}, prices: {} }

function readDraft(text: string | null): Draft {
  try {
    return Draft.parse(JSON.parse(text ?? ''))
  } catch {
    return nothing
  }
}

export const periods = [1, 7, 30] as const
export type Days = (typeof periods)[number]

const entriesOf = ({ channels, prices }: Draft) => [...Object.values(channels), ...Object.values(prices)]

/** A draft of routing. It stands in the address, so that it outlives a reload and can be shown to others. */
export function useDraft() {
  const [params, setParams] = useSearchParams()
  const draft = readDraft(params.get('draft'))
  const days: Days = periods.find((known) => String(known) === params.get('days')) ?? 7
  const put = (fields: Record<string, string>) =>
    setParams((before) => withFields(before, fields), { replace: true, preventScrollReset: true })
  const write = (next: Draft) => put({ draft: entriesOf(next).length === 0 ? '' : JSON.stringify(next) })
  const [named, setNamed] = useState(() => readStored('routing_drafts') ?? {})
  const keep = (drafts: Record<string, string>) => {
    setNamed(drafts)
    store('routing_drafts', drafts)
  }
  const without = <Value>(record: Readonly<Record<string, Value>>, key: string) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
  return {
    ...draft,
    days,
    count: entriesOf(draft).length,
    setDays: (value: string) => put({ days: value }),
    /** What the draft is called; '' while it has no name. */
    name: params.get('name') ?? '',
    names: Object.keys(named),
    /** Takes up a draft that was named; '' begins a new one. */
    open: (name: string) => put({ name, draft: named[name] ?? '' }),
    saveAs: (name: string) => {
      keep({ ...named, [name]: JSON.stringify(draft) })
      put({ name })
    },
    forget: (name: string) => {
      keep(without(named, name))
      put({ name: '', draft: '' })
    },
    editChannel: (id: number, edit: ChannelEdit) => {
      const others = without(draft.channels, String(id))
      write({ ...draft, channels: Object.keys(edit).length === 0 ? others : { ...others, [id]: edit } })
    },
    setPrice: (model: string, price: DraftPrice) => write({ ...draft, prices: { ...draft.prices, [model]: price } }),
    removePrice: (model: string) => write({ ...draft, prices: without(draft.prices, model) }),
    clear: () => put({ draft: '', name: '' }),
  }
}
export type DraftState = ReturnType<typeof useDraft>
