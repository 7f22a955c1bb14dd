/** Why something that is kept under an id is not found, or cannot be kept. */
export const stateRefusals = {
  stateUnknown: [404, 'invalid_request_error', 'not_found', '{param}: {id} is not known here, or not yours.'],
  stateForeign: [
    404,
    'invalid_request_error',
    'not_found',
    '{param}: {id} was not given out by this relay, which keeps no {what}. Instead, {instead}.',
  ],
  stateApart: [
    400,
    'invalid_request_error',
    'state_apart',
    'What the request refers to is kept in different places: refer to one of them, and send the rest itself.',
  ],
  stateGone: [
    404,
    'invalid_request_error',
    'state_gone',
    'The channel that keeps what the request refers to does not carry this model, or is gone: send the items themselves.',
  ],
  roomFull: [
    400,
    'invalid_request_error',
    'limit_reached',
    'A user may have {things} {what} and {megabytes} MB of them here: delete some to make more.',
  ],
  noKeeper: [
    404,
    'invalid_request_error',
    'no_keeper',
    'No channel of your groups keeps {what}: ask the administrator for one of their vendor.',
  ],
  uploadEncoded: [
    415,
    'invalid_request_error',
    'unsupported_encoding',
    'A file cannot be sent encoded as {encoding}: send it plain.',
  ],
  uploadUnknown: [404, 'invalid_request_error', 'not_found', 'This upload is not known here, or its time is over.'],
} as const
