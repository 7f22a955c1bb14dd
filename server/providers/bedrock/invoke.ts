import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfKind, unreadable } from '#server/dialects/fault.ts'
import { objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { awsFault } from './fault.ts'

/** Claude's own format through InvokeModel: streams are Anthropic's events, wrapped in binary ones. */
export const invoke: UpstreamDialect = {
  ...anthropicMessages,
  framing: 'aws-event-stream',
  decodeError: awsFault,
  streamDecoder() {
    const inner = anthropicMessages.streamDecoder()
    return {
      push({ event, data }) {
        const body = objectOf(parseJson(data))
        if (event === 'error')
          return faultEvents(faultOfKind('overloaded', textOf(body?.message) ?? 'The provider reported an error.'))
        const bytes = textOf(body?.bytes)
        if (bytes === undefined) return faultEvents(unreadable())
        const text = Buffer.from(bytes, 'base64').toString()
        const type = textOf(objectOf(parseJson(text))?.type)
        return inner.push(type === undefined ? { data: text } : { event: type, data: text })
      },
      end: inner.end,
    }
  },
  isLastFrame({ data }) {
    const bytes = textOf(objectOf(parseJson(data))?.bytes)
    return bytes !== undefined && Buffer.from(bytes, 'base64').toString().includes('"message_stop"')
  },
}
