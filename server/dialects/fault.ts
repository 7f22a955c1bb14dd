import { objectOf, parseJson } from '#server/lib/json.ts'
import type { ChatEvent, ChatFault } from './chat.ts'
import { saysTooLong } from './too-long.ts'

interface Kind {
  readonly status: number
  readonly type: string
  readonly code?: string
}

/** What providers complain about, in OpenAI's words. */
const kinds = {
  invalid: { status: 400, type: 'invalid_request_error' },
  tooLong: { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
  filtered: { status: 400, type: 'invalid_request_error', code: 'content_filter' },
  credentials: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  unpaid: { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
  /** This request, not the account. */
  forbidden: { status: 403, type: 'access_denied' },
  barred: { status: 403, type: 'permission_error' },
  notFound: { status: 404, type: 'not_found_error', code: 'model_not_found' },
  rate: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  quota: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  internal: { status: 500, type: 'server_error' },
  unreadable: { status: 502, type: 'server_error', code: 'unreadable_response' },
  overloaded: { status: 503, type: 'server_error', code: 'overloaded' },
} satisfies Record<string, Kind>

export type FaultKind = keyof typeof kinds

const kindOfStatus: Record<number, FaultKind> = {
  400: 'invalid',
  401: 'credentials',
  402: 'unpaid',
  403: 'forbidden',
  404: 'notFound',
  408: 'overloaded',
  429: 'rate',
  503: 'overloaded',
}

const address =
  /(?:\b(?:https?|wss?):\/\/|\/\/(?=(?:[\w-]{1,63}\.){1,8}[a-z]))[^\s"'<>]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[\da-f:.]{2,45}\](?::\d+)?|\b(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}:\d{2,5}\b/gi
const secret =
  /\b(?:(?:sk|pk|rk|ak|key)-[\w*.-]{8,}|AIza[\w*-]{8,}|gsk_[\w*]{8,}|ya29\.[\w*.-]{8,}|bearer\s+[\w*.~+/=-]{8,})/gi
const longestMessage = 2000
const longestWord = 200

const masked = (text: string): string => text.replace(address, '[address]').replace(secret, '[key]')

/** Addresses and keys would show clients which vendor and account a channel uses. The cut comes last, so that no half of one is left. */
const withoutSecrets = (text: string, longest = longestMessage): string =>
  masked(text.slice(0, 2 * longest)).slice(0, longest)

/** Type, code and field of an error are words; an upstream may write anything there. */
export const cleanWord = (text: string): string => withoutSecrets(text, longestWord)

const longestDetails = 4000

/** What an error says beside its message, without addresses and keys; undefined when there is nothing to read. */
export function cleanDetails(details: unknown): { details?: Record<string, unknown> } {
  const found = objectOf(details)
  const text = found && JSON.stringify(found)
  if (text === undefined || text.length > longestDetails) return {}
  const clean = objectOf(parseJson(masked(text)))
  return clean ? { details: clean } : {}
}

/** A fault of a known kind. `code` is the provider's own, which says more than the kind's. */
export function faultOfKind(kind: FaultKind, message: string, code?: string): ChatFault {
  const clean = withoutSecrets(message)
  const known: Kind = kinds[kind === 'invalid' && saysTooLong(clean) ? 'tooLong' : kind]
  const own = code === undefined ? code : cleanWord(code)
  return { status: known.status, message: clean, type: known.type, code: known.code ?? own }
}

/** The fault an HTTP status means when the body explains nothing better. */
export function faultOfStatus(status: number, message: string, code?: string): ChatFault {
  const fault = faultOfKind(kindOfStatus[status] ?? (status >= 500 ? 'internal' : 'invalid'), message, code)
  return status >= 400 && status <= 599 ? { ...fault, status } : fault
}

export const isTooLong = ({ code }: ChatFault): boolean => code === kinds.tooLong.code

export function faultEvents(fault: ChatFault): ChatEvent[] {
  return [{ type: 'fault', fault }]
}

export const unreadable = (): ChatFault => faultOfKind('unreadable', 'The provider sent something that cannot be read.')
