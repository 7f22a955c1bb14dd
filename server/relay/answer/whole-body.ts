import type { ChatEvent } from '#server/dialects/chat.ts'
import { longFrom } from '#server/lib/streams/one-piece.ts'
import type { Provider } from '#server/providers/provider.ts'
import { renamed, renamedOnce } from './naming.ts'
import { withoutCost } from './without-cost.ts'

/** The body of an answer that is complete in memory. */
export interface WholeBody {
  readonly body: string
  /** Sent instead of `body`: long answers go out as the bytes that arrived, which is cheaper than encoding the text again. */
  readonly pieces?: readonly Uint8Array[]
  /** Bytes that `body` takes at most, where that is known without counting. */
  readonly bytesMost?: number
}

/** What the client may see of a provider's answer. */
export const presentable = ({ reportsCost }: Pick<Provider, 'reportsCost'>, text: string): string =>
  reportsCost ? withoutCost(text) : text

/** An answer as it came. */
export interface Received {
  readonly text: string
  readonly bytes: Buffer
}

/** Whether it goes out as bytes: those of a provider that reports its cost change. */
const staysBytes = ({ reportsCost }: Pick<Provider, 'reportsCost'>, { bytes }: Received): boolean =>
  !reportsCost && bytes.length >= longFrom

/** The provider's answer, with its own name of the model. */
const unchanged = (provider: Pick<Provider, 'reportsCost'>, received: Received): WholeBody =>
  staysBytes(provider, received)
    ? { body: received.text, pieces: [received.bytes] }
    : { body: presentable(provider, received.text), bytesMost: received.bytes.length }

/** The provider's answer, with the name of the model the client asked for. */
export function withModelName(
  provider: Pick<Provider, 'reportsCost'>,
  received: Received,
  vendors: string | undefined,
  model: string,
): WholeBody {
  if (vendors === undefined || vendors === model) return unchanged(provider, received)
  const { text, bytes } = received
  const own = JSON.stringify(model)
  const pieces = staysBytes(provider, received) ? renamedOnce(received, vendors, own) : null
  if (pieces) return { body: text, pieces }
  const body = renamed(presentable(provider, text), vendors, own)
  return { body, bytesMost: bytes.length + 3 * Math.max(0, body.length - text.length) }
}

/** What the provider calls its model. */
export function nameIn(events: readonly ChatEvent[]): string | undefined {
  for (const event of events) if (event.type === 'start' && event.model) return event.model
  return undefined
}
