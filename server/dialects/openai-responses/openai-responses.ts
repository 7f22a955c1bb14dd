import type { Dialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { modelEntry, modelList } from '#server/dialects/openai-chat/models.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { type JsonObject, objectOf } from '#server/lib/json.ts'
import { encodeStreamError } from './errors.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { createStreamEncoder, encodeResponse } from './response-encode.ts'
import { createResponseReader } from './response-reader.ts'

const lastEvents: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Some servers take every request for one of chat. */
const isChat = (body: JsonObject | undefined): boolean => Array.isArray(body?.choices) && body.output === undefined

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  framing: 'sse',
  carries: new Set(['image', 'audio', 'file', 'logprobs']),
  encodeRequest,
  decodeResponse(body) {
    const response = objectOf(body)
    return response ? createResponseReader().response(response) : faultEvents(unreadable())
  },
  answeredIn: (body) => (isChat(objectOf(body)) ? openaiChat : null),
  streamDecoder: () => jsonStreamDecoder(createResponseReader().event),
  isLastFrame: ({ event }) => event !== undefined && lastEvents.has(event),
  decodeError: faultOfBody,
  decodeRequest,
  encodeResponse,
  streamEncoder: createStreamEncoder,
  encodeError,
  encodeStreamError,
  recognises: (path) => path.startsWith('/v1/responses'),
  modelList,
  modelEntry,
}
