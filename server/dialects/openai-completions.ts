import { arrayOf, type JsonObject, objectOf } from '#server/lib/json.ts'
import type { ChatEvent } from './chat.ts'
import type { UpstreamDialect } from './dialect.ts'
import { faultOfBody } from './error-body.ts'
import { faultEvents, unreadable } from './fault.ts'
import { jsonStreamDecoder } from './json-stream.ts'
import { createChunkReader } from './openai-chat/stream-decode.ts'

/** Reads old text completions as if their texts were deltas of a conversation. */
function createReader(): (chunk: JsonObject) => ChatEvent[] {
  const read = createChunkReader()
  return (chunk) => {
    const choices = arrayOf(chunk.choices).map((choice) => ({
      ...objectOf(choice),
      delta: { content: objectOf(choice)?.text },
    }))
    return read({ ...chunk, choices })
  }
}

/**
 * OpenAI's old text completions, for metering only: they pass between client and provider untouched, so nothing is ever
 * encoded.
 */
export const openaiCompletions: UpstreamDialect = {
  id: 'openai-completions',
  framing: 'sse',
  encodeRequest: () => {
    throw new Error('text completions are passed through')
  },
  decodeResponse(body) {
    const answer = objectOf(body)
    return answer ? createReader()(answer) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader()),
  decodeError: faultOfBody,
}
