import type { Dialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { objectOf } from '#server/lib/json.ts'
import { encodeError, encodeStreamError } from './errors.ts'
import { createMessageReader } from './message-reader.ts'
import { modelEntry, modelList } from './models.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { encodeResponse } from './response-encode.ts'
import { createStreamEncoder } from './stream-encode.ts'

export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  framing: 'sse',
  demandsLimit: true,
  carries: new Set(['image', 'file']),
  encodeRequest,
  decodeResponse(body) {
    const message = objectOf(body)
    return message ? createMessageReader().message(message) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createMessageReader().event),
  isLastFrame: ({ event }) => event === 'message_stop',
  decodeError: faultOfBody,
  decodeRequest,
  encodeResponse,
  streamEncoder: createStreamEncoder,
  encodeError,
  encodeStreamError,
  recognises: (path, hasHeader) =>
    path.includes('/v1/messages') || (!/\/v1(beta|alpha)(\/|$)/.test(path) && hasHeader('anthropic-version')),
  modelList,
  modelEntry,
}
