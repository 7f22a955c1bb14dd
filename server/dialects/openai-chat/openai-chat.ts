import type { Dialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { objectOf } from '#server/lib/json.ts'
import { encodeError } from './errors.ts'
import { modelEntry, modelList } from './models.ts'
import { decodeRequest } from './request-decode.ts'
import { type Extensions, encodeRequest } from './request-encode.ts'
import { encodeResponse } from './response-encode.ts'
import { createChunkReader } from './stream-decode.ts'
import { createStreamEncoder } from './stream-encode.ts'
import { usageOnRequest } from './usage-on-request.ts'

/** OpenAI's chat completions, as a vendor with these extensions wants its requests. */
export function createOpenaiChat(extensions: Extensions): Dialect {
  return {
    id: 'openai-chat',
    framing: 'sse',
    carries: new Set(['image', 'audio', 'file', 'n', 'logprobs']),
    encodeRequest: (request) => encodeRequest(request, extensions),
    decodeResponse(body) {
      const answer = objectOf(body)
      return answer ? createChunkReader()(answer) : faultEvents(unreadable())
    },
    streamDecoder: () => jsonStreamDecoder(createChunkReader()),
    decodeError: faultOfBody,
    decodeRequest,
    encodeResponse,
    streamEncoder: createStreamEncoder,
    encodeError,
    encodeStreamError: (fault, requestId) => [{ data: JSON.stringify(encodeError(fault, requestId)) }],
    closingFrame: { data: '[DONE]' },
    usageOnRequest,
    recognises: () => false,
    modelList,
    modelEntry,
  }
}

/** The variant most vendors speak: reasoning comes back with the messages, cache marks are not understood. */
export const openaiChat = createOpenaiChat({ reasoning: true, cacheControl: false, developer: false })
