import type { ChatFault } from '#server/dialects/chat.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import type { Meter } from '#server/relay/metering/meter.ts'
import type { Passage, Piece } from './passage.ts'
import type { Tail } from './tail.ts'
import type { WholeBody } from './whole-body.ts'

/** An answer that will be shown: from here on no other channel is tried. */
export type Deliverable =
  /** Complete in memory. */
  | (WholeBody & {
      readonly kind: 'whole'
      readonly contentType: string
      consumption(approximate: boolean): Consumption | Promise<Consumption>
      /** The data of the event that closed the answer, when the body is a stream. */
      readonly lastData?: string | undefined
      /** The body with the usage that was counted here, for vendors that report none. */
      complete?(consumption: Consumption): string
    })
  /** Frames that arrive; `first` is what they brought so far. */
  | {
      readonly kind: 'frames'
      readonly first: Piece[]
      readonly chunks: AsyncIterator<Uint8Array>
      readonly passage: Passage
      readonly meter: Meter
      readonly contentType: string
    }
  /** Bytes that are passed on unread, such as sound; `tail` is the end of them. */
  | {
      readonly kind: 'bytes'
      readonly first: Uint8Array
      readonly chunks: AsyncIterator<Uint8Array>
      readonly contentType: string
      consumption(approximate: boolean, tail: Tail): Promise<Consumption>
    }

export type Readiness =
  | { readonly ok: true; readonly deliverable: Deliverable }
  | { readonly ok: false; readonly fault: ChatFault }
