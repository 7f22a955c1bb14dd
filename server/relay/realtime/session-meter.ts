import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import type { SocketFrame } from './frames.ts'

/** Something a session has used, to be paid at once. */
export interface Slice {
  /** Null: the model of the session. */
  readonly model: string | null
  readonly consumption: Consumption
}

/** What happens to a client's frame: `pass` is sent on, changed or not; `refused` is the reason the client is sent. */
export type FrameDecision = { readonly pass: SocketFrame } | { readonly refused: ChatFault }

/** Reads both sides of a session for what they cost. Holds the state of one session. */
export interface SessionMeter {
  fromClient(data: SocketFrame): FrameDecision
  /** What this frame of the vendor reports, or ends. */
  fromVendor(data: SocketFrame): readonly Slice[]
  /** Estimated usage that is not paid yet: the conversation so far and the answer under way. */
  underWay(): BillableUsage
  /** Something is being answered, or written down. */
  isAnswering(): boolean
  /** Estimated usage of transcripts that were never reported; they are then no longer under way. */
  takeUnreported(): readonly Slice[]
  /** What asks the vendor to stop answering; null when nothing does. */
  readonly stop: string | null
  /** A fault in the words of the protocol; null when it has none. */
  encodeFault(fault: ChatFault): string | null
}
