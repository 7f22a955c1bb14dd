import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'
import type { ChatEvent } from './chat.ts'
import type { StreamDecoder } from './dialect.ts'
import { faultOfBody } from './error-body.ts'
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
      const chunk = objectOf(value)
      const events = chunk ? read(chunk) : []
      if (frame.event === 'error' && !events.some((event) => event.type === 'fault'))
        return faultEvents(faultOfBody(200, chunk ?? { message: data }))
      return value === undefined ? faultEvents(unreadable()) : events
    },
    end: rest,
  }
}
