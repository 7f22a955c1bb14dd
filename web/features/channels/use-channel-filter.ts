import { useSearchParams } from 'react-router'
import { ChannelFilter } from '#shared/channel-filter.ts'
import { withFields } from '#web/lib/table-address.ts'

type Name = keyof ChannelFilter
const names = Object.keys(ChannelFilter.shape) as Name[]

export interface ChannelFilterState {
  filter: ChannelFilter
  isSet: boolean
  change: (name: Name, value: string) => void
  clear: () => void
}

/** A field of the address that makes no sense counts as not given. */
function filterOf(params: URLSearchParams): ChannelFilter {
  const given = names.map((name) => [name, ChannelFilter.shape[name].safeParse(params.get(name) || undefined).data])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** What the list of channels is narrowed to, kept in the address. */
export function useChannelFilter(): ChannelFilterState {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const change = (changes: Record<string, string>) =>
    setParams((before) => withFields(before, { ...changes, page: '' }), { replace: true, preventScrollReset: true })
  return {
    filter,
    isSet: Object.keys(filter).length > 0,
    change: (name, value) => change({ [name]: value.trim() }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
  }
}
