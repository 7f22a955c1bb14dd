import type { ChatFault } from '#server/dialects/chat.ts'
import { refusals } from './refusal-table.ts'

export type RefusalName = keyof typeof refusals

export function refusal(name: RefusalName, params: Readonly<Record<string, string | number>> = {}): ChatFault {
  const known = refusals[name]
  return { ...known, message: known.message.replace(/\{(\w+)\}/g, (_, key: string) => String(params[key] ?? '')) }
}

/** A request that ends with a fault. `retryAfter` is passed on to the client as it came. */
export class RelayFault extends Error {
  readonly fault: ChatFault
  readonly retryAfter: string | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(fault: ChatFault, retryAfter?: string, headers: Readonly<Record<string, string>> = {}) {
    super(fault.message)
    this.name = 'RelayFault'
    this.fault = fault
    this.retryAfter = retryAfter
    this.headers = headers
  }
}

/** Says how much would have been taken. */
export const refuseSize = (bytesMax: number): RelayFault =>
  refuse('tooLarge', { most: `${Math.floor(bytesMax / 1024 / 1024)} MB` })

export const refuse = (name: RefusalName, params?: Readonly<Record<string, string | number>>): RelayFault =>
  new RelayFault(refusal(name, params))
