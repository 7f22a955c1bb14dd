import type { ChatEvent, ChatFault } from '#server/dialects/chat.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents } from '#server/dialects/fault.ts'
import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'

interface Variation {
  /** An error only this vendor writes that way. */
  readonly errorIn?: (body: JsonObject) => ChatFault | undefined
  /** The body as the dialect knows it. `streaming` for one frame of many. */
  readonly rewrite?: (body: JsonObject, streaming: boolean) => JsonObject
  readonly keeps?: (event: ChatEvent) => boolean
}

/** A dialect as one vendor speaks it: the same format with habits of its own in what comes back. */
export function variantOf(dialect: UpstreamDialect, variation: Variation): UpstreamDialect {
  const { errorIn, rewrite = (body) => body, keeps = () => true } = variation
  return {
    ...dialect,
    decodeResponse(body) {
      const answer = objectOf(body)
      const error = answer && errorIn?.(answer)
      if (error) return faultEvents(error)
      return dialect.decodeResponse(answer ? rewrite(answer, false) : body).filter(keeps)
    },
    streamDecoder() {
      const inner = dialect.streamDecoder()
      return {
        push(frame) {
          const chunk = objectOf(parseJson(frame.data))
          const error = chunk && errorIn?.(chunk)
          if (error) return faultEvents(error)
          return inner.push(chunk ? { ...frame, data: JSON.stringify(rewrite(chunk, true)) } : frame).filter(keeps)
        },
        end: () => inner.end().filter(keeps),
      }
    },
    decodeError(status, body) {
      return errorIn?.(objectOf(body) ?? {}) ?? dialect.decodeError(status, body)
    },
  }
}

/** The dialect of a service its vendor has switched off: errors inside a success get the hint too, as `retired` adds it to all others. */
export function withErrorHint(dialect: UpstreamDialect, hint: string): UpstreamDialect {
  const said = (event: ChatEvent): ChatEvent =>
    event.type === 'fault'
      ? { ...event, fault: { ...event.fault, message: `${hint} (${event.fault.message})` } }
      : event
  return {
    ...dialect,
    decodeResponse: (body) => dialect.decodeResponse(body).map(said),
    streamDecoder() {
      const inner = dialect.streamDecoder()
      return { push: (frame) => inner.push(frame).map(said), end: () => inner.end().map(said) }
    },
  }
}
