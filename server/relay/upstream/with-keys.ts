import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { takeTurn } from './key-turn.ts'
import { VendorRefusal } from './vendor-refusal.ts'

interface Asked<Answer> {
  /** With the key that was taken. */
  readonly channel: RoutedChannel
  readonly answer: Answer
}

/**
 * Asks with the key a channel has, and with the others of its pool while the key is to blame. `mayAskAgain` says whether what was
 * sent can be sent again.
 */
export async function withKeys<Answer>(
  context: RelayContext,
  channel: RoutedChannel,
  ask: (channel: RoutedChannel) => Promise<Answer>,
  mayAskAgain: () => boolean = () => true,
): Promise<Asked<Answer>> {
  const turn = takeTurn(context, channel, channel.key)
  for (let through = channel; ; ) {
    try {
      const answer = await ask(through)
      if (channel.keys.length > 1) turn.succeeded()
      return { channel: through, answer }
    } catch (error) {
      if (!(error instanceof VendorRefusal) || channel.keys.length < 2) throw error
      const isOthersTurn = turn.failed({ fault: error.said, retryAfter: null }) && mayAskAgain()
      const key = isOthersTurn ? turn.next() : null
      if (key === null) throw error
      through = { ...channel, key }
    }
  }
}
