import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { parseJson } from '#server/lib/json.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'
import { blame } from '#server/relay/routing/blame.ts'
import { withoutKey } from './without-key.ts'

/** The channel's credentials are not the client's business, and a 401 would make it doubt its own. */
export const presentable = (fault: ChatFault): ChatFault =>
  blame(fault).disable
    ? {
        ...refusal('upstreamFailed'),
        message: 'The upstream refused the channel; the administrator has to look at it.',
      }
    : fault

/** What a vendor answered with a status that is no success. */
export class VendorRefusal extends RelayFault {
  /** As the vendor said it, for those who ask whose fault it is. */
  readonly said: ChatFault
  constructor(said: ChatFault) {
    super(presentable(said))
    this.name = 'VendorRefusal'
    this.said = said
  }
}

/** What a vendor said, or what stands for it. */
export const saidIn = (error: RelayFault): ChatFault => (error instanceof VendorRefusal ? error.said : error.fault)

/** The fault in the body of an answer, without the key it was asked with. */
export const vendorFault = (status: number, text: string, key: string): ChatFault =>
  withoutKey(faultOfBody(status, parseJson(text) ?? text), key)

const neverSent = new Set(['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** What became of a request that got no answer: whether its vendor may have taken it. */
export const unanswered = (method: string, cause: unknown): ChatFault => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return refusal(method === 'POST' && !neverSent.has(code) ? 'answerLost' : 'upstreamFailed')
}
