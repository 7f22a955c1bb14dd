import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import type { ModelFacts } from '#server/providers/model-facts.ts'
import type { ThinksBeside } from '#server/providers/provider.ts'
import type { Surcharges } from '#server/providers/surcharges.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { AskedExtras } from './asked-extras.ts'
import type { InputSize } from './input-size.ts'

/** What a request costs through one channel, and what the model behind it can do. */
export interface Offer {
  readonly price: ModelPrice
  /** The user group whose ratio counts. */
  readonly group: string
  readonly groupRatio: number
  /** The upstream's own name of the model. */
  readonly model: string
  /** The name by which the model's abilities are known. */
  readonly knownAs: string
  readonly facts: ModelFacts | null
  readonly surcharges: Surcharges
  /** Of vendors whose limit of an answer counts no thoughts. */
  readonly thinksBeside: ThinksBeside | undefined
}

export interface Ceiling {
  /** Must be there for the request to start: the prompt, a short answer, and the operator's least reservation. */
  readonly least: number
  /** What the request may cost at most. */
  readonly wanted: number
}

/** A request as far as its price is known before it is answered. */
export interface Measured {
  readonly ask: Ask
  readonly size: InputSize
  readonly extras: AskedExtras
  /** Seconds of a recording that is to be written down. */
  readonly recording: number
  /** It may be answered in sound. */
  readonly speaks: boolean
  /** Tokens of an answer that the client foretells. */
  readonly predicted: number
  /** The tools it brings, wherever they stand. */
  readonly tools: readonly unknown[]
}
