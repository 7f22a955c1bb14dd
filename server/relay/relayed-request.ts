import type { LimitsLeft } from '#server/billing/limits/limit-check.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import type { TryRecord } from '#server/db/logs/route-record.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import type { Listed } from '#server/lib/unordered-list.ts'
import type { Surcharges } from '#server/providers/surcharges.ts'
import type { RequestTrace } from '#server/telemetry/tracer.ts'
import type { Counted } from './limits/counted.ts'
import type { AskedExtras } from './metering/asked-extras.ts'
import type { Measured } from './metering/offer.ts'
import type { Ask } from './request/ask.ts'
import type { Caller } from './request/caller.ts'
import type { InboundRequest } from './request/inbound-request.ts'
import type { RoutedChannel } from './routing/routing-table.ts'
import type { FetchedFiles } from './upstream/request-tools.ts'

/** What is known of a request once its money is held; grows as channels are tried. */
export interface RelayedRequest extends Listed, FetchedFiles {
  readonly inbound: InboundRequest
  readonly id: string
  readonly startedAt: number
  readonly caller: Caller
  /** The ask as it is tried now; a fallback model replaces it. */
  ask: Ask
  /** Its open hold; every model that is tried has its own. */
  holdId: string
  /** All that is known of its price before it is answered. */
  measured: Measured
  /** What was held for it. */
  reserve: number
  /** The most it may cost, which may be more than could be held. */
  wanted: number
  /** The tokens its limits counted before it was answered. */
  estimate: number
  /** The limits it was counted by, and when. */
  readonly counted: { caller: readonly Counted[]; channel: Counted | null }
  /** What was left of its limits when it was let in; null for a caller without limits. */
  limits: { readonly left: LimitsLeft; readonly seen: number } | null
  readonly tried: number[]
  /** The result of every attempt, in order. */
  readonly tries: TryRecord[]
  /** The candidate channels and why each was chosen or not, as `readStandings` parses it. */
  candidates: string
  /** Set by the attempt whose answer is delivered. */
  delivery: Delivery | null
  firstByteAt: number
  /** Why the request failed, for its log row. */
  fault: ChatFault | null
  /** Null when it is not traced. */
  readonly trace: RequestTrace | null
  /** True once its settlement has begun. */
  closed: boolean
}

/** The channel an answer comes through and what it is charged at. */
export interface Delivery {
  readonly channel: RoutedChannel
  readonly price: ModelPrice
  readonly surcharges: Surcharges
  /** What was asked for beside tokens. */
  readonly asked: AskedExtras
  /** What it used is only known at its end, so it is read on when its client leaves. */
  readonly readToEnd: boolean
  /** The user group whose ratio counts. */
  readonly group: string
  readonly groupRatio: number
  /** Types of tools the channel cannot run, which were not sent to the model. */
  readonly leftOut: readonly string[]
}

/** A channel as far as a bill needs it. */
export type SoldChannel = Pick<RoutedChannel, 'id' | 'type' | 'mapping' | 'costRatio'> &
  Partial<Pick<RoutedChannel, 'models'>>

/** The part of a request its bill needs; also for long work, whose client left long ago. */
export interface SettledRequest
  extends Omit<RelayedRequest, 'inbound' | 'measured' | 'wanted' | 'ask' | 'delivery' | 'fetched'> {
  readonly ask: Pick<Ask, 'model' | 'stream'> & Partial<Pick<Ask, 'entrance' | 'note'>>
  readonly delivery: (Omit<Delivery, 'channel'> & { readonly channel: SoldChannel }) | null
}

/** How a request ended: delivered whole, cut by its client, or failed. */
export type Outcome = 'done' | 'cut' | 'failed'

export const newRelayedRequest = (
  { inbound, caller, ask, trace }: Pick<RelayedRequest, 'inbound' | 'caller' | 'ask' | 'trace'>,
  measured: Measured,
): RelayedRequest => ({
  inbound,
  caller,
  ask,
  measured,
  trace,
  id: inbound.id,
  holdId: inbound.id,
  startedAt: inbound.startedAt,
  reserve: 0,
  wanted: 0,
  estimate: 0,
  counted: { caller: [], channel: null },
  limits: null,
  tried: [],
  tries: [],
  fetched: null,
  candidates: '',
  delivery: null,
  firstByteAt: 0,
  fault: null,
  closed: false,
  place: -1,
})
