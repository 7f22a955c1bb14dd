import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'
import type { ChatFault } from './chat.ts'
import { cleanDetails, cleanWord, type FaultKind, faultOfKind, faultOfStatus, isTooLong } from './fault.ts'

/** What the words of OpenAI, Anthropic and Google mean, for errors that no HTTP status explains. */
const kindOfWord = words<FaultKind>({
  invalid_request_error: 'invalid',
  INVALID_ARGUMENT: 'invalid',
  request_too_large: 'tooLong',
  context_length_exceeded: 'tooLong',
  content_filter: 'filtered',
  invalid_api_key: 'credentials',
  authentication_error: 'credentials',
  UNAUTHENTICATED: 'credentials',
  API_KEY_INVALID: 'credentials',
  billing_error: 'unpaid',
  Arrearage: 'unpaid',
  insufficient_quota: 'quota',
  enforced_spend_limit_reached: 'quota',
  exceeded_current_quota_error: 'quota',
  billing_not_active: 'quota',
  permission_error: 'barred',
  PERMISSION_DENIED: 'forbidden',
  FAILED_PRECONDITION: 'forbidden',
  not_found_error: 'notFound',
  model_not_found: 'notFound',
  NOT_FOUND: 'notFound',
  rate_limit_error: 'rate',
  rate_limit_exceeded: 'rate',
  RESOURCE_EXHAUSTED: 'rate',
  overloaded_error: 'overloaded',
  UNAVAILABLE: 'overloaded',
  timeout_error: 'overloaded',
  DEADLINE_EXCEEDED: 'overloaded',
})

/**
 * Google answers 400 for a bad key and for a region or account that may not call, Alibaba for an account without money: none
 * of it is the client's mistake. Anthropic and Moonshot answer 429 when the money is spent, which waiting does not cure.
 */
const wordsStrongerThanStatus = [
  'API_KEY_INVALID',
  'FAILED_PRECONDITION',
  'Arrearage',
  'enforced_spend_limit_reached',
  'exceeded_current_quota_error',
]

const saidIn = ({ msg, message, error }: Record<string, unknown>) => textOf(msg) ?? textOf(message) ?? textOf(error)

/** Servers that check a body say what is wrong with each of its fields, or put one fault into an object of its own. */
const listed = (faults: unknown): string =>
  (Array.isArray(faults) ? faults.slice(0, 5) : [faults])
    .flatMap((fault) => saidIn(objectOf(fault) ?? {}) ?? textOf(fault) ?? [])
    .join('; ')

function messageOf(error: Record<string, unknown>, body: Record<string, unknown>, status: number): string {
  const plain = [error.message, error.msg, error.detail, body.message, body.msg, body.detail, body.error]
  const lists = [error.detail, error.errors, body.detail, body.errors]
  const message =
    plain.find((text) => typeof text === 'string' && text !== '') ?? lists.map(listed).find((text) => text !== '')
  if (typeof message === 'string') return message
  return status >= 400 ? `The provider answered with status ${status}.` : 'The provider reported an error.'
}

const wholeOf = (body: unknown): Record<string, unknown> => objectOf(Array.isArray(body) ? body[0] : body) ?? {}
const errorIn = (whole: Record<string, unknown>): Record<string, unknown> => objectOf(whole.error) ?? whole

/** How long Google asks to be left alone, which it says in no header: `{retryDelay: "45.8s"}` among the details; in whole seconds. */
export function pauseIn(body: unknown): string | null {
  const delays = arrayOf(errorIn(wholeOf(body)).details).map((detail) => textOf(objectOf(detail)?.retryDelay) ?? '')
  const seconds = delays
    .map((delay) => /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay)?.[1])
    .find((text) => text !== undefined)
  return seconds === undefined || Number(seconds) === 0 ? null : String(Math.ceil(Number(seconds)))
}

/** Reads an error in any of the common shapes: `{error:{…}}`, `{error:"…"}`, `{message}`, or a list around one of them. */
export function faultOfBody(status: number, body: unknown): ChatFault {
  const whole = wholeOf(body)
  const error = errorIn(whole)
  const reasons = arrayOf(error.details).map((detail) => textOf(objectOf(detail)?.reason))
  const cap = textOf(objectOf(error.details)?.error_code)
  const words = [...reasons, cap, textOf(error.code), textOf(error.type), textOf(error.status)].filter(
    (word) => word !== undefined,
  )
  const message = messageOf(error, whole, status)
  const inner = numberOf(error.code) ?? numberOf(error.status)
  const strong = words.find((word) => wordsStrongerThanStatus.includes(word))
  const known = words.map((word) => kindOfWord[word]).find((kind) => kind !== undefined)
  const base =
    strong !== undefined || (status < 400 && inner === undefined)
      ? faultOfKind(known ?? 'internal', message)
      : faultOfStatus(status < 400 ? (inner ?? 500) : status, message)
  const code = isTooLong(base) ? base.code : (textOf(error.code) ?? textOf(error.status) ?? base.code)
  const param = textOf(error.param)
  return {
    ...base,
    type: cleanWord(textOf(error.type) ?? base.type),
    ...(code === undefined ? {} : { code: cleanWord(code) }),
    ...(param === undefined ? {} : { param: cleanWord(param) }),
    ...cleanDetails(error.details),
  }
}

/** The message a client is shown, with the number under which the relay logged the request. */
export function messageWithId(fault: ChatFault, requestId: string): string {
  return requestId === '' ? fault.message : `${fault.message} (request id: ${requestId})`
}
