/** Why a session over a socket is refused or ends. */
export const sessionRefusals = {
  passageSocket: [
    400,
    'invalid_request_error',
    'socket_not_carried',
    'The vendor passage carries no WebSockets: call /v1/realtime or Gemini Live.',
  ],
  setupMissing: [400, 'invalid_request_error', 'setup_missing', 'The first message must be the setup, with its model.'],
  sessionModel: [
    400,
    'invalid_request_error',
    'session_model',
    'The model of a session cannot be changed to {model}: open another session.',
  ],
  sessionTranscriber: [
    400,
    'invalid_request_error',
    'session_model',
    'What is said cannot be written down by {model}: it has no price, or the token may not use it.',
  ],
  sessionTranscribers: [
    400,
    'invalid_request_error',
    'session_model',
    'What is said is written down by one model: {model} or {other}, not both.',
  ],
  sessionSpent: [
    402,
    'insufficient_quota',
    'insufficient_quota',
    'The quota is spent or the key has ended, and the session with it.',
  ],
  sessionLimited: [
    429,
    'rate_limit_error',
    'rate_limit_exceeded',
    'The tokens of this minute are used up, and the session with them.',
  ],
  sessionTooLong: [
    408,
    'invalid_request_error',
    'session_expired',
    'The session has reached its longest duration, an hour.',
  ],
  sessionIdle: [408, 'invalid_request_error', 'session_idle', 'Nothing was said for too long.'],
  sessionTooSlow: [503, 'server_error', 'session_too_slow', 'One side reads slower than the other speaks.'],
} as const
