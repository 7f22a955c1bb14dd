import type { ChatFault } from '#server/dialects/chat.ts'

type Refusal = Pick<ChatFault, 'status' | 'type' | 'message'> & { readonly code: string }

/** A kind of refusal: its status, and its type in OpenAI's vocabulary. */
const kind =
  (status: number, type: string) =>
  (code: string, message: string): Refusal => ({ status, type, code, message })

const invalid = 'invalid_request_error'
const badRequest = kind(400, invalid)
const unknownCaller = kind(401, 'authentication_error')
const unpaid = kind(402, 'insufficient_quota')
const denied = kind(403, 'permission_error')
const notFound = kind(404, invalid)
const limited = kind(429, 'rate_limit_error')
const badGateway = kind(502, 'server_error')
const unavailable = kind(503, 'server_error')
const timeout = kind(504, 'server_error')

const overBudget = (whose: string): Refusal =>
  unpaid(
    'budget_exceeded',
    `The budget of the ${whose} is not enough: {available} left, {needed} needed. It begins anew at {reset}.`,
  )

const callers = {
  keyMissing: unknownCaller('missing_api_key', 'No API key given. Send it as "Authorization: Bearer sk-…".'),
  keyInvalid: unknownCaller('invalid_api_key', 'The API key is not valid.'),
  keyDisabled: unknownCaller('api_key_disabled', 'The token "{name}" is disabled.'),
  keyExpired: unknownCaller('api_key_expired', 'The token "{name}" has expired.'),
  banned: denied('user_banned', 'The user has been banned.'),
  addressRefused: denied('address_not_allowed', 'The token may not be used from this address.'),
}

const money = {
  tokenExhausted: unpaid(
    'insufficient_quota',
    'The quota of the token "{token}" is not enough: {available} left, at least {needed} needed.',
  ),
  userExhausted: unpaid(
    'insufficient_quota',
    'The quota of the user is not enough: {available} left, at least {needed} needed. Please top up.',
  ),
  teamExhausted: unpaid(
    'insufficient_quota',
    'The quota of the team "{team}" is not enough: {available} left, at least {needed} needed. Please top up.',
  ),
  tokenBudgetExceeded: overBudget('token "{token}"'),
  userBudgetExceeded: overBudget('user {user}'),
  teamBudgetExceeded: overBudget('team "{team}"'),
  memberBudgetExceeded: overBudget('member {user} in the team "{team}"'),
  rateLimited: limited(
    'rate_limit_exceeded',
    'Rate limit reached for the {whose}: {value} {unit}. Please retry in {seconds} s.',
  ),
}

const channels = {
  modelMissing: badRequest('missing_parameter', 'model is required.'),
  modelForbidden: denied('model_not_allowed', 'The token may not use the model {model}.'),
  modelUnpriced: denied(
    'model_not_priced',
    'The model {model} has no price, so it cannot be billed. Ask the administrator to set one.',
  ),
  modelUnknown: notFound('model_not_found', 'No channel carries the model {model} for your group.'),
  unsupported: badRequest('unsupported_operation', 'The channels that carry {model} do not offer this operation.'),
  noChannel: unavailable('no_available_channel', 'No channel can serve the model {model} right now: {reason}.'),
  pinNotAllowed: denied('channel_not_allowed', 'Only administrators may choose a channel.'),
  pinUnknown: notFound('channel_not_found', 'The chosen channel does not exist.'),
  pinDisabled: denied('channel_disabled', 'The chosen channel is disabled.'),
}

const addresses = {
  notFound: notFound('unknown_url', 'Invalid URL ({method} {path}).{hint}'),
  wrongMethod: kind(405, invalid)('method_not_allowed', 'Invalid method ({method} {path}): use {right}.'),
  socketOnly: kind(426, invalid)('upgrade_required', 'This address is a WebSocket: ask for an upgrade.'),
}

const bodies = {
  notJson: badRequest('invalid_json', 'The request body is not valid JSON.'),
  tooDeep: badRequest('invalid_json', 'The request body is nested deeper than 200 levels.'),
  tooManyValues: badRequest(
    'invalid_json',
    'The request body has more than {most} values; one with a name counts as five.',
  ),
  keyTwice: badRequest('invalid_json', 'The request body gives a key twice in one object.'),
  notForm: badRequest('invalid_form', 'The request body is not valid multipart/form-data.'),
  tooManyParts: badRequest('invalid_form', 'The form has more than {most} parts.'),
  notText: badRequest('invalid_form', 'The form field {name} must be text, not a file.'),
  fieldTwice: badRequest('invalid_form', 'The form field {name} is given twice.'),
  notOneFile: badRequest(
    'invalid_form',
    'A recording is sent as one file, in the form field file, and not by an address or id ({name}).',
  ),
  tooLarge: kind(413, invalid)('request_too_large', 'The request body is too large: {most} at most.'),
  packedTooFar: kind(413, invalid)(
    'request_too_large',
    'The request body becomes more than {times} times as long when it is unpacked: send it plain.',
  ),
  badEncoding: kind(415, invalid)(
    'unsupported_encoding',
    'The request body is encoded as {encoding}: send it as gzip, deflate, br or zstd, or plain.',
  ),
  longBodies: unavailable(
    'too_many_long_bodies',
    'Your account has {most} long request bodies under way already: retry when one of them is answered.',
  ),
  bodiesFull: unavailable(
    'too_many_long_bodies',
    'Too many long request bodies are under way: please retry in a moment.',
  ),
  brokenEncoding: badRequest('invalid_encoding', 'The request body is not valid {encoding}.'),
}

const fields = {
  badName: badRequest('invalid_name', 'The field {name} must be written {plain}.'),
  badSwitch: badRequest('invalid_value', '{param} must be true or false.'),
  badCount: badRequest('invalid_value', 'The number of answers must be a whole number from 1 to 128.'),
  badLimit: badRequest('invalid_value', '{param} must be a positive whole number.'),
  limitTooHigh: badRequest('invalid_value', '{param} must be at most {most}.'),
  badSeconds: badRequest('invalid_value', 'The length of a video must be a number of seconds, at most {most}.'),
  badLifetime: badRequest(
    'invalid_value',
    '{name} must be seconds such as 3600s, or a moment such as 2027-01-01T00:00:00Z.',
  ),
  notSpoken: badRequest(
    'invalid_value',
    'What is to be said is paid by its length: the field input must be a text, and the only one.',
  ),
  lackedWithTools: badRequest(
    'unsupported_value',
    '{field} cannot be used with tools on this model: leave one of them out.',
  ),
  extraUnpriced: badRequest(
    'unsupported_value',
    'The model {model} has no price for {extra}, so it cannot be billed. Leave it out.',
  ),
}

const passage = {
  passageOff: denied(
    'passage_off',
    'The vendor passage is off: an administrator may turn on the option PassthroughEnabled.',
  ),
  passageForbidden: denied('passage_not_allowed', 'Only administrators may call a vendor directly.'),
  passageModels: denied(
    'passage_not_allowed',
    'The token "{token}" may use certain models only, so it may not call a vendor directly.',
  ),
  passageUnknown: notFound(
    'channel_not_found',
    'No enabled channel has the type or the name {which}: call /pass/{the number of a channel type or the name of a channel}/….',
  ),
  passageSocket: badRequest(
    'socket_not_carried',
    'The vendor passage carries no WebSockets: call /v1/realtime or Gemini Live.',
  ),
}

/** What is kept under an id, by a vendor or by the relay. */
const state = {
  stateUnknown: notFound('not_found', '{param}: {id} is not known here, or not yours.'),
  tooManyElements: badRequest(
    'too_many_items',
    'The request has more than {most} messages, items, parts and tools: send fewer.',
  ),
  tooManyTools: badRequest('too_many_items', 'The request has more than {most} tools: send fewer.'),
  tooManyIds: badRequest('too_many_ids', 'The request refers to more than {most} different ids: refer to fewer.'),
  stateForeign: notFound(
    'not_found',
    '{param}: {id} was not given out by this relay, which keeps no {what}. Instead, {instead}.',
  ),
  stateApart: badRequest(
    'state_apart',
    'What the request refers to is kept in different places: refer to one of them, and send the rest itself.',
  ),
  stateGone: notFound(
    'state_gone',
    'The channel that keeps what the request refers to does not carry this model, or is gone: send the items themselves.',
  ),
  roomFull: badRequest(
    'limit_reached',
    'A user may have {things} {what} and {megabytes} MB of them here: delete some to make more.',
  ),
  noKeeper: notFound(
    'no_keeper',
    'No channel of your groups keeps {what}: ask the administrator for one of their vendor.',
  ),
  uploadEncoded: kind(415, invalid)(
    'unsupported_encoding',
    'A file cannot be sent encoded as {encoding}: send it plain.',
  ),
  uploadUnknown: notFound('not_found', 'This upload is not known here, or its time is over.'),
  notStored: badRequest(
    'not_stored',
    'background needs a stored response: leave store out, and ask the administrator for ResponseRetentionDays above 0.',
  ),
  backgroundStream: badRequest(
    'background_stream',
    'background cannot be streamed here: leave stream out and ask for it by its id.',
  ),
  notBackground: badRequest('not_background', 'Only a response made in the background can be cancelled.'),
}

/** Batches and videos. */
const longWork = {
  batchFileMissing: badRequest('missing_parameter', 'input_file_id is required.'),
  batchEndpoint: badRequest('invalid_endpoint', 'endpoint must be one of {known}.'),
  batchLine: badRequest('invalid_batch', 'Line {line} of the batch cannot be read: {why}.'),
  batchModel: badRequest('invalid_batch', 'The model of the batch is that of its address: {model}.'),
  batchUnbounded: badRequest(
    'invalid_batch',
    'Nobody knows how long an answer of {model} may be: give every line a limit, such as max_tokens.',
  ),
  batchCalls: badRequest(
    'invalid_batch',
    'Tools that run at the vendor need a limit of at most {most} calls in every line: max_uses or max_tool_calls.',
  ),
  batchEmpty: badRequest('invalid_batch', 'The batch has no lines.'),
  batchTooLong: badRequest('invalid_batch', 'The batch has more than {most} lines: make several.'),
  batchElsewhere: badRequest(
    'state_apart',
    'The channel that takes the batch does not carry the model {model}: send it the file again, or make a batch for each model.',
  ),
  batchRuns: badRequest('batch_runs', 'The batch has not ended: cancel it, and delete it then.'),
  videoRunning: kind(409, invalid)(
    'video_running',
    'The video is still being made: fetch or delete it when it is done.',
  ),
  workLost: notFound('state_gone', 'Nobody could find out what became of this work. Nothing was charged: ask again.'),
}

/** Sessions over a socket. */
const sessions = {
  setupMissing: badRequest('setup_missing', 'The first message must be the setup, with its model.'),
  sessionModel: badRequest(
    'session_model',
    'The model of a session cannot be changed to {model}: open another session.',
  ),
  sessionTranscriber: badRequest(
    'session_model',
    'What is said cannot be written down by {model}: it has no price, or the token may not use it.',
  ),
  sessionTranscribers: badRequest(
    'session_model',
    'What is said is written down by one model: {model} or {other}, not both.',
  ),
  sessionSpent: unpaid('insufficient_quota', 'The quota is spent or the key has ended, and the session with it.'),
  sessionLimited: limited('rate_limit_exceeded', 'The tokens of this minute are used up, and the session with them.'),
  sessionTooLong: kind(408, invalid)('session_expired', 'The session has reached its longest duration, an hour.'),
  sessionIdle: kind(408, invalid)('session_idle', 'Nothing was said for too long.'),
  sessionTooSlow: unavailable('session_too_slow', 'One side reads slower than the other speaks.'),
}

const upstream = {
  upstreamFailed: badGateway('upstream_error', 'The upstream could not be reached.'),
  answerLost: badGateway(
    'upstream_answer_lost',
    'The upstream took the request and did not answer: look whether it has begun before you ask again.',
  ),
  proxyFailed: badGateway('upstream_error', 'The upstream could not be reached through the proxy of the channel.'),
  proxyUnusable: badGateway('proxy_unusable', 'The channel speaks over a socket, which cannot go through its proxy.'),
  upstreamTimeout: timeout('upstream_timeout', 'The upstream did not answer in time.'),
  streamCut: badGateway('upstream_stream_cut', 'The upstream ended the answer before it was complete.'),
  streamStalled: timeout('upstream_stalled', 'The upstream fell silent before the answer was complete.'),
  emptyAnswer: badGateway('empty_answer', 'The upstream sent an empty answer.'),
}

const relay = {
  unavailable: unavailable('service_unavailable', 'The service is temporarily unavailable, please retry in a moment.'),
  accountLocked: unavailable('account_locked', 'Your account is being changed right now. Please retry in a moment.'),
  stopping: unavailable('service_stopping', 'This node is stopping, please retry.'),
  internal: kind(500, 'server_error')('internal_error', 'internal server error, contact the administrator'),
}

/** Every refusal of the relay itself. `{name}` is filled from the parameters. */
export const refusals = {
  ...callers,
  ...money,
  ...channels,
  ...addresses,
  ...bodies,
  ...fields,
  ...passage,
  ...state,
  ...longWork,
  ...sessions,
  ...upstream,
  ...relay,
}
