import type { ChatEvent } from '#server/dialects/chat.ts'
import { longBytes } from '#server/lib/streams/one-piece.ts'
import type { Provider } from '#server/providers/provider.ts'
import { renamed, renamedOnce } from './naming.ts'
import { withoutCost } from './without-cost.ts'

/** The body of an answer that is complete in memory. */
export interface WholeBody {
  readonly body: string
  /** What is sent in its place: long answers go on as the bytes they came as, which costs less than to make bytes of a text. */
  readonly pieces?: readonly Uint8Array[]
}

/** What the client may see of a provider's answer. */
export const shown = ({ reportsCost }: Pick<Provider, 'reportsCost'>, text: string): string =>
  reportsCost ? withoutCost(text) : text

/** The provider's own answer, as it is. */
export const unchanged = (text: string, bytes: Uint8Array): WholeBody =>
  bytes.length < longBytes ? { body: text } : { body: text, pieces: [bytes] }

/** The provider's own answer, under the name the client asked for. */
export function named(
  provider: Pick<Provider, 'reportsCost'>,
  { text, bytes }: { readonly text: string; readonly bytes: Buffer },
  vendors: string | undefined,
  model: string,
): WholeBody {
  const isOther = vendors !== undefined && vendors !== model
  if (!isOther) return provider.reportsCost ? { body: shown(provider, text) } : unchanged(text, bytes)
  const own = JSON.stringify(model)
  const pieces = provider.reportsCost || bytes.length < longBytes ? null : renamedOnce(bytes, vendors, own)
  return pieces ? { body: text, pieces } : { body: renamed(shown(provider, text), vendors, own) }
}

/** What the provider calls its model. */
export function nameIn(events: readonly ChatEvent[]): string | undefined {
  for (const event of events) if (event.type === 'start' && event.model) return event.model
  return undefined
}
