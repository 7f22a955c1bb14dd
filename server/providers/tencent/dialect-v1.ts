import type { ChatEvent, ChatFault, ChatRequest, Message } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { plainText } from '#server/dialects/prompt-parts.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'

const roleOf = (role: Message['role']): string => (role === 'assistant' ? 'assistant' : 'user')

/** Account, time and query id are part of the signature: the provider adds them. */
function encodeRequest(request: ChatRequest): Json {
  return {
    messages: request.messages.map((message) => ({ role: roleOf(message.role), content: plainText(message.parts) })),
    temperature: request.temperature ?? 1,
    top_p: request.topP ?? 0.8,
    stream: request.stream ? 1 : 0,
  }
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const error = objectOf(body.error)
  const code = numberOf(error?.code) ?? 0
  if (!error || code === 0) return undefined
  return faultOfStatus(400, textOf(error.message) ?? `Hunyuan error ${code}`, String(code))
}

function read(chunk: JsonObject): ChatEvent[] {
  const error = errorIn(chunk)
  if (error) return faultEvents(error)
  const choice = objectOf(arrayOf(chunk.choices)[0]) ?? {}
  const text = textOf(objectOf(choice.delta)?.content) ?? textOf(objectOf(choice.messages)?.content)
  const usage = objectOf(chunk.usage)
  const events: ChatEvent[] = [{ type: 'start', id: textOf(chunk.id) ?? textOf(chunk.req_id) }]
  if (text) events.push({ type: 'text-delta', text })
  if (textOf(choice.finish_reason)) events.push({ type: 'finish', reason: 'stop' })
  if (usage) {
    const [input, output] = [numberOf(usage.prompt_tokens) ?? 0, numberOf(usage.completion_tokens) ?? 0]
    events.push({ type: 'usage', usage: { input, output } })
  }
  return events
}

function createReader(): (chunk: JsonObject) => ChatEvent[] {
  let started = false
  return (chunk) => {
    const events = read(chunk).filter((event) => !started || event.type !== 'start')
    started = true
    return events
  }
}

/** Hunyuan before API 3.0. */
export const tencentV1: UpstreamDialect = {
  id: 'tencent-v1',
  framing: 'sse',
  encodeRequest,
  decodeResponse(body) {
    const answer = objectOf(body)
    return answer ? read(answer) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader()),
  decodeError(status, body) {
    return errorIn(objectOf(body) ?? {}) ?? faultOfStatus(status, `Hunyuan answered with status ${status}.`)
  },
}
