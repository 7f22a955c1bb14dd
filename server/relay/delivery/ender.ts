import type { ChatFault } from '#server/dialects/chat.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome } from '#server/relay/relayed-request.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'

/** Runs once, for whichever comes first: the end of the upstream, the client leaving, or a timeout. */
export interface Ender {
  readonly over: () => boolean
  /** Resolves when it has run, successfully or not. */
  readonly ended: Promise<void>
  end(outcome: Outcome, fault?: ChatFault): Promise<void>
}

export function createEnder(
  { pendingSettlements }: RelayContext,
  { place }: Pick<InboundRequest, 'place'>,
  work: (outcome: Outcome, fault?: ChatFault) => Promise<void>,
): Ender {
  let ending: Promise<void> | null = null
  const ended = Promise.withResolvers<void>()
  return {
    over: () => ending !== null,
    ended: ended.promise,
    end(outcome, fault) {
      if (ending) return ending
      ending = work(outcome, fault)
      const over = () => {
        place.free()
        ended.resolve()
      }
      void ending.then(over, over)
      pendingSettlements.add(ending)
      return ending
    },
  }
}
