import type { ModelPrice } from '#server/billing/model-price.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import type { RequestTrace } from '#server/tracing/tracer.ts'
import type { Ask } from './ask.ts'
import type { Caller } from './caller.ts'
import type { RoutedChannel } from './routing.ts'

/** What is known of a request once its money is held; grows as channels are tried. */
export interface RelayedRequest {
  readonly id: string
  readonly startedAt: number
  readonly caller: Caller
  readonly ask: Ask
  readonly tried: number[]
  /** Set by the attempt whose answer is delivered. */
  delivery: Delivery | null
  firstByteAt: number
  /** Why the request failed, for its row. */
  fault: ChatFault | null
  /** Null when it is not traced. */
  readonly trace: RequestTrace | null
  /** True once someone has taken on the settlement. */
  closed: boolean
}

/** The channel an answer comes through and what it is charged at. */
export interface Delivery {
  readonly channel: RoutedChannel
  readonly price: ModelPrice
  readonly groupRatio: number
}
