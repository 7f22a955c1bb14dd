import { keyIn } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'

/** The query as it was typed, without the caller's key; '' when nothing is left. */
export function queryForVendor(inbound: Pick<InboundRequest, 'http' | 'url'>): string {
  const { search } = inbound.url
  if (search === '') return ''
  const key = keyIn(inbound)
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^(?:key|api[-_]?key)=/i.test(part) && !part.includes(key))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
