import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'
import type { ChatEvent } from './chat.ts'
import type { StreamDecoder } from './dialect.ts'
import { faultEvents, unreadable } from './fault.ts'

/** A decoder for streams whose every frame is one JSON object. `rest` brings what was held back until the end. */
export function jsonStreamDecoder(
  read: (chunk: JsonObject) => ChatEvent[],
  rest = (): ChatEvent[] => [],
): StreamDecoder {
  return {
    push(frame) {
      const data = frame.data.trim()
      if (data === '' || data === '[DONE]') return []
      const value = parseJson(data)
      if (value === undefined) return faultEvents(unreadable())
      const chunk = objectOf(value)
      return chunk ? read(chunk) : []
    },
    end: rest,
  }
}
