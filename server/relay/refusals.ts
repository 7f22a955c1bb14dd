import type { ChatFault } from '#server/dialects/chat.ts'
import { sessionRefusals } from './session-refusals.ts'
import { stateRefusals } from './state-refusals.ts'

const budgetExceeded = (whose: string) =>
  [
    402,
    'insufficient_quota',
    'budget_exceeded',
    `The budget of the ${whose} is not enough: {available} left, {needed} needed. It begins anew at {reset}.`,
  ] as const

/** Every refusal of the relay itself: status, type and code in OpenAI's vocabulary, and the text. */
const refusals = {
  keyMissing: [
    401,
    'authentication_error',
    'missing_api_key',
    'No API key given. Send it as "Authorization: Bearer sk-…".',
  ],
  keyInvalid: [401, 'authentication_error', 'invalid_api_key', 'The API key is not valid.'],
  keyDisabled: [401, 'authentication_error', 'api_key_disabled', 'The token "{name}" is disabled.'],
  keyExpired: [401, 'authentication_error', 'api_key_expired', 'The token "{name}" has expired.'],
  tokenExhausted: [
    402,
    'insufficient_quota',
    'insufficient_quota',
    'The quota of the token "{token}" is not enough: {available} left, at least {needed} needed.',
  ],
  userExhausted: [
    402,
    'insufficient_quota',
    'insufficient_quota',
    'The quota of the user is not enough: {available} left, at least {needed} needed. Please top up.',
  ],
  teamExhausted: [
    402,
    'insufficient_quota',
    'insufficient_quota',
    'The quota of the team "{team}" is not enough: {available} left, at least {needed} needed. Please top up.',
  ],
  tokenBudgetExceeded: budgetExceeded('token "{token}"'),
  userBudgetExceeded: budgetExceeded('user {user}'),
  teamBudgetExceeded: budgetExceeded('team "{team}"'),
  memberBudgetExceeded: budgetExceeded('member {user} in the team "{team}"'),
  rateLimited: [
    429,
    'rate_limit_error',
    'rate_limit_exceeded',
    'Rate limit reached for the {whose}: {value} {unit}. Please retry in {seconds} s.',
  ],
  banned: [403, 'permission_error', 'user_banned', 'The user has been banned.'],
  addressRefused: [403, 'permission_error', 'address_not_allowed', 'The token may not be used from this address.'],
  modelForbidden: [403, 'permission_error', 'model_not_allowed', 'The token may not use the model {model}.'],
  modelUnpriced: [
    403,
    'permission_error',
    'model_not_priced',
    'The model {model} has no price, so it cannot be billed. Ask the administrator to set one.',
  ],
  passageOff: [
    403,
    'permission_error',
    'passage_off',
    'The vendor passage is off: an administrator may turn on the option PassthroughEnabled.',
  ],
  passageForbidden: [403, 'permission_error', 'passage_not_allowed', 'Only administrators may call a vendor directly.'],
  passageModels: [
    403,
    'permission_error',
    'passage_not_allowed',
    'The token "{token}" may use certain models only, so it may not call a vendor directly.',
  ],
  passageUnknown: [
    404,
    'invalid_request_error',
    'channel_not_found',
    'No enabled channel has the type or the name {which}: call /pass/{the number of a channel type or the name of a channel}/….',
  ],
  ...sessionRefusals,
  socketOnly: [426, 'invalid_request_error', 'upgrade_required', 'This address is a WebSocket: ask for an upgrade.'],
  pinNotAllowed: [403, 'permission_error', 'channel_not_allowed', 'Only administrators may choose a channel.'],
  pinUnknown: [404, 'invalid_request_error', 'channel_not_found', 'The chosen channel does not exist.'],
  pinDisabled: [403, 'permission_error', 'channel_disabled', 'The chosen channel is disabled.'],
  modelUnknown: [
    404,
    'invalid_request_error',
    'model_not_found',
    'No channel carries the model {model} for your group.',
  ],
  batchFileMissing: [400, 'invalid_request_error', 'missing_parameter', 'input_file_id is required.'],
  modelMissing: [400, 'invalid_request_error', 'missing_parameter', 'model is required.'],
  notJson: [400, 'invalid_request_error', 'invalid_json', 'The request body is not valid JSON.'],
  tooDeep: [400, 'invalid_request_error', 'invalid_json', 'The request body is nested deeper than 200 levels.'],
  tooManyValues: [400, 'invalid_request_error', 'invalid_json', 'The request body has more than 500,000 values.'],
  keyTwice: [400, 'invalid_request_error', 'invalid_json', 'The request body gives a key twice in one object.'],
  notText: [400, 'invalid_request_error', 'invalid_form', 'The form field {name} must be text, not a file.'],
  fieldTwice: [400, 'invalid_request_error', 'invalid_form', 'The form field {name} is given twice.'],
  notSpoken: [
    400,
    'invalid_request_error',
    'invalid_value',
    'What is to be said is paid by its length: the field input must be a text, and the only one.',
  ],
  notOneFile: [
    400,
    'invalid_request_error',
    'invalid_form',
    'A recording is sent as one file, in the form field file, and not by an address or id ({name}).',
  ],
  notForm: [400, 'invalid_request_error', 'invalid_form', 'The request body is not valid multipart/form-data.'],
  badCount: [
    400,
    'invalid_request_error',
    'invalid_value',
    'The number of answers must be a whole number from 1 to 128.',
  ],
  badSeconds: [
    400,
    'invalid_request_error',
    'invalid_value',
    'The length of a video must be a number of seconds, at most {most}.',
  ],
  badLifetime: [
    400,
    'invalid_request_error',
    'invalid_value',
    '{name} must be seconds such as 3600s, or a moment such as 2027-01-01T00:00:00Z.',
  ],
  videoRunning: [
    409,
    'invalid_request_error',
    'video_running',
    'The video is still being made: fetch or delete it when it is done.',
  ],
  badName: [400, 'invalid_request_error', 'invalid_name', 'The field {name} must be written {plain}.'],
  badSwitch: [400, 'invalid_request_error', 'invalid_value', '{param} must be true or false.'],
  badLimit: [400, 'invalid_request_error', 'invalid_value', '{param} must be a positive whole number.'],
  limitTooHigh: [400, 'invalid_request_error', 'invalid_value', '{param} must be at most {most}.'],
  extraUnpriced: [
    400,
    'invalid_request_error',
    'unsupported_value',
    'The model {model} has no price for {extra}, so it cannot be billed. Leave it out.',
  ],
  tooLarge: [413, 'invalid_request_error', 'request_too_large', 'The request body is too large: {most} at most.'],
  badEncoding: [
    415,
    'invalid_request_error',
    'unsupported_encoding',
    'The request body is encoded as {encoding}: send it as gzip, deflate, br or zstd, or plain.',
  ],
  brokenEncoding: [400, 'invalid_request_error', 'invalid_encoding', 'The request body is not valid {encoding}.'],
  ...stateRefusals,
  batchEndpoint: [400, 'invalid_request_error', 'invalid_endpoint', 'endpoint must be one of {known}.'],
  batchLine: [400, 'invalid_request_error', 'invalid_batch', 'Line {line} of the batch cannot be read: {why}.'],
  batchModel: [
    400,
    'invalid_request_error',
    'invalid_batch',
    'The model of the batch is that of its address: {model}.',
  ],
  batchUnbounded: [
    400,
    'invalid_request_error',
    'invalid_batch',
    'Nobody knows how long an answer of {model} may be: give every line a limit, such as max_tokens.',
  ],
  batchCalls: [
    400,
    'invalid_request_error',
    'invalid_batch',
    'Tools that run at the vendor need a limit of at most {most} calls in every line: max_uses or max_tool_calls.',
  ],
  batchEmpty: [400, 'invalid_request_error', 'invalid_batch', 'The batch has no lines.'],
  batchTooLong: [400, 'invalid_request_error', 'invalid_batch', 'The batch has more than {most} lines: make several.'],
  batchElsewhere: [
    400,
    'invalid_request_error',
    'state_apart',
    'The channel that takes the batch does not carry the model {model}: send it the file again, or make a batch for each model.',
  ],
  batchRuns: [400, 'invalid_request_error', 'batch_runs', 'The batch has not ended: cancel it, and delete it then.'],
  workLost: [
    404,
    'invalid_request_error',
    'state_gone',
    'Nobody could find out what became of this work. Nothing was charged: ask again.',
  ],
  notStored: [
    400,
    'invalid_request_error',
    'not_stored',
    'background needs a stored response: leave store out, and ask the administrator for ResponseRetentionDays above 0.',
  ],
  backgroundStream: [
    400,
    'invalid_request_error',
    'background_stream',
    'background cannot be streamed here: leave stream out and ask for it by its id.',
  ],
  notBackground: [
    400,
    'invalid_request_error',
    'not_background',
    'Only a response made in the background can be cancelled.',
  ],
  unsupported: [
    400,
    'invalid_request_error',
    'unsupported_operation',
    'The channels that carry {model} do not offer this operation.',
  ],
  noChannel: [
    503,
    'server_error',
    'no_available_channel',
    'No channel can serve the model {model} right now: {reason}.',
  ],
  upstreamFailed: [502, 'server_error', 'upstream_error', 'The upstream could not be reached.'],
  answerLost: [
    502,
    'server_error',
    'upstream_answer_lost',
    'The upstream took the request and did not answer: look whether it has begun before you ask again.',
  ],
  proxyFailed: [
    502,
    'server_error',
    'upstream_error',
    'The upstream could not be reached through the proxy of the channel.',
  ],
  proxyUnusable: [
    502,
    'server_error',
    'proxy_unusable',
    'The channel speaks over a socket, which cannot go through its proxy.',
  ],
  upstreamTimeout: [504, 'server_error', 'upstream_timeout', 'The upstream did not answer in time.'],
  streamCut: [502, 'server_error', 'upstream_stream_cut', 'The upstream ended the answer before it was complete.'],
  streamStalled: [504, 'server_error', 'upstream_stalled', 'The upstream fell silent before the answer was complete.'],
  emptyAnswer: [502, 'server_error', 'empty_answer', 'The upstream sent an empty answer.'],
  unavailable: [
    503,
    'server_error',
    'service_unavailable',
    'The service is temporarily unavailable, please retry in a moment.',
  ],
  stopping: [503, 'server_error', 'service_stopping', 'This node is stopping, please retry.'],
  internal: [500, 'server_error', 'internal_error', 'internal server error, contact the administrator'],
  notFound: [404, 'invalid_request_error', 'unknown_url', 'Invalid URL ({method} {path}).{hint}'],
  wrongMethod: [405, 'invalid_request_error', 'method_not_allowed', 'Invalid method ({method} {path}): use {right}.'],
} as const satisfies Record<string, readonly [status: number, type: string, code: string, message: string]>

export type RefusalName = keyof typeof refusals

export function refusal(name: RefusalName, params: Readonly<Record<string, string | number>> = {}): ChatFault {
  const [status, type, code, text] = refusals[name]
  const message = text.replace(/\{(\w+)\}/g, (_, key: string) => String(params[key] ?? ''))
  return { status, type, code, message }
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
