import type { ChatEvent } from '#server/dialects/chat.ts'
import { longFrom } from '#server/lib/streams/one-piece.ts'
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

/** An answer as it came. */
export interface Received {
  readonly text: string
  readonly bytes: Buffer
}

/** Whether it goes on as bytes: those of a provider that reports its cost change. */
const staysBytes = ({ reportsCost }: Pick<Provider, 'reportsCost'>, { bytes }: Received): boolean =>
  !reportsCost && bytes.length >= longFrom

/** The provider's own answer, under its own name. */
const unchanged = (provider: Pick<Provider, 'reportsCost'>, received: Received): WholeBody =>
  staysBytes(provider, received)
    ? { body: received.text, pieces: [received.bytes] }
    : { body: shown(provider, received.text) }

/** The provider's own answer, under the name the client asked for. */
export function named(
  provider: Pick<Provider, 'reportsCost'>,
  received: Received,
  vendors: string | undefined,
  model: string,
): WholeBody {
  if (vendors === undefined || vendors === model) return unchanged(provider, received)
  const { text, bytes } = received
  const own = JSON.stringify(model)
  const pieces = staysBytes(provider, received) ? renamedOnce(bytes, vendors, own) : null
  return pieces ? { body: text, pieces } : { body: renamed(shown(provider, text), vendors, own) }
}

/** What the provider calls its model. */
export function nameIn(events: readonly ChatEvent[]): string | undefined {
  for (const event of events) if (event.type === 'start' && event.model) return event.model
  return undefined
}
