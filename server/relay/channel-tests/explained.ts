import { UpstreamFault } from '#server/providers/provider.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { VendorRefusal } from '#server/relay/upstream/vendor-refusal.ts'
import { textWithoutKey } from '#server/relay/upstream/without-key.ts'

const longest = 200

const saidBy = (cause: unknown): string | undefined => {
  if (cause instanceof VendorRefusal) return cause.said.message
  return cause instanceof UpstreamFault ? cause.fault.message : undefined
}

/** Why a vendor gave no answer, without the keys it may have been asked with: vendors and networks repeat them. */
export function explained(cause: unknown, { keys, proxy }: Pick<RoutedChannel, 'keys' | 'proxy'>): string {
  const said = saidBy(cause)
  const text = said ?? (cause instanceof Error ? cause.message : 'no answer')
  // The cut comes last, so that no half of a key is left.
  const clean = textWithoutKey(text, keys.join('\n')).slice(0, longest)
  return proxy === '' || said !== undefined ? clean : `no way through the proxy: ${clean}`
}
