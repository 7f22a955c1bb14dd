import type { ChatEvent, ChatFault, ChatRequest, Message, Tool } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { type FaultKind, faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { namesOfCalls, newCallId, plainText, toolCalls } from '#server/dialects/prompt-parts.ts'
import { clamp } from '#server/lib/clamp.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'

/** From, to (inclusive), meaning. */
const faultRanges: readonly (readonly [number, number, FaultKind])[] = [
  [10000, 10005, 'invalid'],
  [10006, 10007, 'rate'],
  [10008, 10012, 'overloaded'],
  [10013, 10014, 'filtered'],
  [10015, 10016, 'barred'],
  [10019, 10021, 'filtered'],
  [10110, 10110, 'overloaded'],
  [10163, 10163, 'invalid'],
  [10222, 10222, 'overloaded'],
  [10907, 10907, 'tooLong'],
  [11200, 11200, 'barred'],
  [11201, 11203, 'rate'],
]

function messageOf(message: Message, names: ReadonlyMap<string, string>): Json[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', content: plainText(message.parts) }]
    case 'user':
      return [{ role: 'user', content: plainText(message.parts) }]
    case 'tool': {
      const name = message.name ?? names.get(message.callId)
      return [{ role: 'tool', name, content: plainText(message.parts) }]
    }
    case 'assistant': {
      const content = plainText(message.parts, '')
      const calls = toolCalls(message.parts)
      if (calls.length === 0) return [{ role: 'assistant', content }]
      return calls.map((call, position) => ({
        role: 'assistant',
        content: position === 0 ? content : '',
        function_call: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
      }))
    }
  }
}

const functionOf = (tool: Tool): Json => ({
  name: tool.name,
  description: tool.description ?? '',
  parameters: (tool.parameters ?? { type: 'object', properties: {} }) as Json,
})

/** `header.app_id` and `parameter.chat.domain` depend on key and model: the provider adds them. */
function encodeRequest(request: ChatRequest): Json {
  const names = namesOfCalls(request.messages)
  const usable = request.tools?.length && request.toolChoice !== 'none' ? request.tools : undefined
  return {
    header: { uid: request.user?.slice(0, 32) },
    parameter: {
      chat: {
        temperature: clamp(request.temperature, 0.01, 1),
        top_k: clamp(request.topK, 1, 6),
        max_tokens: request.maxOutputTokens,
      },
    },
    payload: {
      message: { text: request.messages.flatMap((message) => messageOf(message, names)) },
      functions: usable ? { text: usable.map(functionOf) } : undefined,
    },
  }
}

function faultOfCode(code: number, message: string): ChatFault {
  const kind = faultRanges.find(([from, to]) => code >= from && code <= to)?.[2] ?? 'internal'
  return faultOfKind(kind, message, String(code))
}

/** Frames carry `header.code`; a refused handshake answers `{message}` alone. */
function errorIn(frame: JsonObject): ChatFault | undefined {
  const header = objectOf(frame.header) ?? frame
  const code = numberOf(header.code) ?? 0
  return code === 0 ? undefined : faultOfCode(code, textOf(header.message) ?? `Spark error ${code}`)
}

function textEvents(entry: JsonObject, called: { count: number }): ChatEvent[] {
  const events: ChatEvent[] = []
  const reasoning = textOf(entry.reasoning_content)
  if (reasoning) events.push({ type: 'reasoning-delta', text: reasoning })
  const text = textOf(entry.content)
  if (text) events.push({ type: 'text-delta', text })
  const call = objectOf(entry.function_call)
  if (call) {
    const index = called.count++
    events.push({ type: 'tool-call-start', index, id: newCallId(), name: textOf(call.name) ?? '' })
    events.push({ type: 'tool-call-delta', index, arguments: textOf(call.arguments) ?? '{}' })
  }
  return events
}

function createReader(): (frame: JsonObject) => ChatEvent[] {
  const called = { count: 0 }
  let started = false
  return (frame) => {
    const error = errorIn(frame)
    if (error) return faultEvents(error)
    const events: ChatEvent[] = []
    if (!started) events.push({ type: 'start', id: textOf(objectOf(frame.header)?.sid) })
    started = true
    const payload = objectOf(frame.payload) ?? {}
    const choices = objectOf(payload.choices) ?? {}
    for (const entry of arrayOf(choices.text)) events.push(...textEvents(objectOf(entry) ?? {}, called))
    if (choices.status === 2) events.push({ type: 'finish', reason: called.count > 0 ? 'tool-calls' : 'stop' })
    const usage = objectOf(objectOf(payload.usage)?.text)
    if (usage) {
      const [input, output] = [numberOf(usage.prompt_tokens) ?? 0, numberOf(usage.completion_tokens) ?? 0]
      events.push({ type: 'usage', usage: { input, output } })
    }
    return events
  }
}

/** True for the frame after which Spark says nothing more. */
export function isLastSparkFrame(data: unknown): boolean {
  const frame = objectOf(data)
  if (!frame || errorIn(frame)) return true
  return objectOf(objectOf(frame.payload)?.choices)?.status === 2
}

/** iFlytek's WebSocket frames: one request, then answers until status 2; text only. */
export const spark: UpstreamDialect = {
  id: 'spark',
  framing: 'websocket',
  encodeRequest,
  decodeResponse(body) {
    const frame = objectOf(body)
    return frame ? createReader()(frame) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader()),
  decodeError(status, body) {
    const frame = objectOf(body) ?? {}
    return errorIn(frame) ?? faultOfStatus(status, textOf(frame.message) ?? `Spark answered with status ${status}.`)
  },
}
