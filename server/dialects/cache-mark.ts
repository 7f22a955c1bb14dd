import { objectOf } from '#server/lib/json.ts'
import type { CacheMark } from './chat.ts'
import type { Json } from './dialect.ts'

/** Reads `cache_control`, which Anthropic defined and OpenAI-shaped relays adopted. */
export function decodeCache(block: Record<string, unknown>): { readonly cache?: CacheMark } {
  const mark = objectOf(block.cache_control)
  if (!mark) return {}
  return { cache: mark.ttl === '1h' || mark.ttl === '5m' ? { ttl: mark.ttl } : {} }
}

export function encodeCache(cache: CacheMark | undefined): { cache_control?: Json } {
  if (!cache) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === undefined ? {} : { ttl: cache.ttl }) } }
}
