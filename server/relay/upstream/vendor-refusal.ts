import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { AnswerTooLong, wholeBytesMax } from '#server/lib/http1/http-response.ts'
import { parseJson } from '#server/lib/json.ts'
import { boundedText } from '#server/lib/network/bounded-text.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'
import { consequencesOf } from '#server/relay/routing/fault-consequences.ts'
import { withoutKey } from './without-key.ts'

/** The channel's credentials are not the client's business, and a 401 would make it doubt its own. */
export const presentable = (fault: ChatFault): ChatFault =>
  consequencesOf(fault).disable
    ? {
        ...refusal('upstreamFailed'),
        message: 'The upstream refused the channel; the administrator has to look at it.',
      }
    : fault

/** What a vendor answered with a status that is no success. */
export class VendorRefusal extends RelayFault {
  /** The vendor's own fault, by which blame is decided. */
  readonly said: ChatFault
  constructor(said: ChatFault) {
    super(presentable(said))
    this.name = 'VendorRefusal'
    this.said = said
  }
}

/** The vendor's own fault where there is one, else that of the error. */
export const saidIn = (error: RelayFault): ChatFault => (error instanceof VendorRefusal ? error.said : error.fault)

/** An answer that is read whole; throws when it is longer than anybody is ready to hold. */
export async function wholeText(answer: Response): Promise<string> {
  const text = await boundedText(answer, wholeBytesMax)
  if (text === null) throw new AnswerTooLong()
  return text
}

/** The fault in the body of an answer, without the key it was asked with. A redirect counts as a failure: the credential must not be sent elsewhere. */
export async function vendorFault(answer: Response, key: string): Promise<ChatFault> {
  const text = await wholeText(answer).catch(() => '')
  if (answer.status < 400) return refusal('upstreamFailed')
  return withoutKey(faultOfBody(answer.status, parseJson(text) ?? text), key)
}

const neverSent = new Set(['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** The fault of a request without an answer: `answerLost` when the vendor may have taken it. */
export const unanswered = (method: string, cause: unknown): ChatFault => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return refusal(method === 'POST' && !neverSent.has(code) ? 'answerLost' : 'upstreamFailed')
}
