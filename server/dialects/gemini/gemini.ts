import type { Dialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { objectOf } from '#server/lib/json.ts'
import { encodeError } from './errors.ts'
import { modelEntry, modelList } from './models.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { encodeResponse } from './response-encode.ts'
import { createChunkReader } from './stream-decode.ts'
import { createStreamEncoder } from './stream-encode.ts'

/** Google's `generateContent`. Streams travel as server-sent events (`alt=sse`); without it as one JSON array. */
export const gemini: Dialect = {
  id: 'gemini',
  framing: 'sse',
  carries: new Set(['image', 'audio', 'file', 'video', 'n', 'logprobs']),
  encodeRequest,
  decodeResponse(body) {
    const answer = objectOf(Array.isArray(body) ? body[0] : body)
    return answer ? createChunkReader()(answer) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createChunkReader()),
  decodeError: faultOfBody,
  decodeRequest,
  encodeResponse,
  streamEncoder: createStreamEncoder,
  encodeError,
  // Google's clients look for it outside of events.
  encodeStreamError: (fault, requestId) => [{ data: JSON.stringify(encodeError(fault, requestId)), bare: true }],
  recognises: (path, hasHeader) => /\/v1(beta|alpha)(\/|$)/.test(path) || hasHeader('x-goog-api-key'),
  modelList,
  modelEntry,
}
