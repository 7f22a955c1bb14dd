import type { ChatFault } from '#server/dialects/chat.ts'
import { refusals } from './refusal-table.ts'

export type RefusalName = keyof typeof refusals

export function refusal(name: RefusalName, params: Readonly<Record<string, string | number>> = {}): ChatFault {
  const known = refusals[name]
  return { ...known, message: known.message.replace(/\{(\w+)\}/g, (_, key: string) => String(params[key] ?? '')) }
}

/** Whose request was refused, as far as a row of the log says it. */
export interface RefusedCaller {
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly teamId: number
  readonly groups: readonly string[]
}

/** What is known of a refused request. */
export interface RefusalFacts {
  readonly name?: RefusalName
  readonly caller?: RefusedCaller
  /** As it was asked for. */
  readonly model?: string
  /** It was let in, and has a row of its own. */
  readonly hasRow?: true
}

/** A request that ends with a fault. `retryAfter` is passed on to the client as it came. */
export class RelayFault extends Error {
  readonly fault: ChatFault
  readonly retryAfter: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly facts: RefusalFacts
  constructor(
    fault: ChatFault,
    retryAfter?: string,
    headers: Readonly<Record<string, string>> = {},
    facts: RefusalFacts = {},
  ) {
    super(fault.message)
    this.name = 'RelayFault'
    this.fault = fault
    this.retryAfter = retryAfter
    this.headers = headers
    this.facts = facts
  }
}

/** The same error with more known of its request; other errors stay as they are. */
export const withFacts = <Thrown>(error: Thrown, facts: RefusalFacts): Thrown | RelayFault =>
  error instanceof RelayFault
    ? new RelayFault(error.fault, error.retryAfter, error.headers, { ...error.facts, ...facts })
    : error

/** Says how much would have been taken. */
export const refuseSize = (bytesMax: number): RelayFault =>
  refuse('tooLarge', { most: `${Math.floor(bytesMax / 1024 / 1024)} MB` })

export const refuse = (name: RefusalName, params?: Readonly<Record<string, string | number>>): RelayFault =>
  new RelayFault(refusal(name, params), undefined, {}, { name })
