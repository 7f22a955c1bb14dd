import type { Dialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { objectOf } from '#server/lib/json.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { createStreamEncoder, encodeResponse } from './response-encode.ts'
import { createResponseReader } from './response-reader.ts'

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  framing: 'sse',
  encodeRequest,
  decodeResponse(body) {
    const response = objectOf(body)
    return response ? createResponseReader().response(response) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createResponseReader().event),
  decodeError: faultOfBody,
  decodeRequest,
  encodeResponse,
  streamEncoder: createStreamEncoder,
  encodeError,
}
