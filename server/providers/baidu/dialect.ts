import type { ChatEvent, ChatFault, ChatRequest, FinishReason, Message, Tool, Usage } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { type FaultKind, faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { namesOfCalls, newCallId, plainText, systemText, toolCalls } from '#server/dialects/prompt-parts.ts'
import { userLabel } from '#server/dialects/user-label.ts'
import { clamp } from '#server/lib/clamp.ts'
import { type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'

interface Turn {
  role: string
  content: string
  name?: string
  function_call?: Json
}

const finishReasons = words<FinishReason>({
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
})

const faultKinds: Record<number, FaultKind> = {
  3: 'notFound',
  4: 'rate',
  6: 'barred',
  13: 'credentials',
  14: 'credentials',
  15: 'barred',
  17: 'quota',
  18: 'rate',
  19: 'quota',
  100: 'credentials',
  110: 'credentials',
  111: 'credentials',
  336001: 'invalid',
  336002: 'invalid',
  336003: 'invalid',
  336004: 'invalid',
  336005: 'invalid',
  336006: 'invalid',
  336007: 'tooLong',
  336501: 'rate',
  336502: 'rate',
}

/** The protocol knows one call a turn: parallel calls become call, result, call, result. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const names = namesOfCalls(messages)
  const calls = new Map<string, Turn>()
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push({ role: 'user', content: plainText(message.parts) })
    if (message.role === 'assistant') {
      const content = plainText(message.parts, '')
      const made = toolCalls(message.parts)
      if (made.length === 0) turns.push({ role: 'assistant', content })
      for (const [position, call] of made.entries())
        calls.set(call.id, {
          role: 'assistant',
          content: position === 0 ? content : '',
          function_call: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
        })
    }
    if (message.role === 'tool') {
      const call = calls.get(message.callId)
      if (call) turns.push(call)
      const name = message.name ?? names.get(message.callId) ?? message.callId
      turns.push({ role: 'function', name, content: plainText(message.parts) })
    }
  }
  return turns
}

const saysNothing = (turn: Turn): boolean => turn.role === 'assistant' && turn.content === '' && !turn.function_call

/** Turns must alternate and begin with the user's: neighbours of one role are joined, empty answers left out. */
function alternating(turns: readonly Turn[]): Turn[] {
  const said = turns.filter((turn) => !saysNothing(turn))
  const joined: Turn[] = said[0]?.role === 'assistant' ? [{ role: 'user', content: '.' }] : []
  for (const turn of said) {
    const last = joined.at(-1)
    const joinable =
      last && last.role === turn.role && turn.role !== 'function' && !last.function_call && !turn.function_call
    if (joinable) last.content = `${last.content}\n${turn.content}`
    else joined.push({ ...turn })
  }
  return joined
}

function messagesOf(request: ChatRequest): { messages: Json; system?: string } {
  const turns = alternating(turnsOf(request.messages))
  const system = systemText(request.messages)
  if (turns.length === 0 && system !== undefined) return { messages: [{ role: 'user', content: system }] }
  return { messages: turns.map((turn) => ({ ...turn })), system }
}

const functionOf = (tool: Tool): Json => ({
  name: tool.name,
  description: tool.description ?? tool.name,
  parameters: (tool.parameters ?? { type: 'object', properties: {} }) as Json,
})

function toolFields(request: ChatRequest): Record<string, Json | undefined> {
  if (!request.tools?.length || request.toolChoice === 'none') return {}
  const choice = request.toolChoice
  return {
    functions: request.tools.map(functionOf),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : undefined,
  }
}

function encodeRequest(request: ChatRequest): Json {
  const penalty = request.frequencyPenalty
  return {
    ...messagesOf(request),
    ...toolFields(request),
    stream: request.stream,
    temperature: clamp(request.temperature, 0.01, 1),
    top_p: clamp(request.topP, 0, 1),
    penalty_score: penalty === undefined ? undefined : clamp(1 + penalty / 2, 1, 2),
    max_output_tokens: request.maxOutputTokens,
    stop: request.stop?.length ? [...request.stop.slice(0, 4)] : undefined,
    response_format: request.responseFormat?.type === 'json' ? 'json_object' : undefined,
    user_id: userLabel(request.user),
  }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  return { input: numberOf(usage.prompt_tokens) ?? 0, output: numberOf(usage.completion_tokens) ?? 0 }
}

/** Codes 1, 2 and 336000 upwards that the table lacks are the vendor's own trouble. */
function faultOfCode(code: number, message: string): ChatFault {
  return faultOfKind(faultKinds[code] ?? 'overloaded', message, String(code))
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const code = numberOf(body.error_code)
  if (code !== undefined && code !== 0) return faultOfCode(code, textOf(body.error_msg) ?? `Baidu error ${code}`)
  const oauth = textOf(body.error)
  return oauth === undefined ? undefined : faultOfKind('credentials', textOf(body.error_description) ?? oauth, oauth)
}

function finishOf(chunk: JsonObject, called: boolean): FinishReason {
  const reason = finishReasons[textOf(chunk.finish_reason) ?? '']
  if (called) return 'tool-calls'
  return reason ?? (chunk.is_truncated === true ? 'length' : 'stop')
}

function createReader(streaming: boolean): (chunk: JsonObject) => ChatEvent[] {
  let started = false
  let called = 0
  return (chunk) => {
    const error = errorIn(chunk)
    if (error) return faultEvents(error)
    const events: ChatEvent[] = []
    if (!started) events.push({ type: 'start', id: textOf(chunk.id), created: numberOf(chunk.created) })
    started = true
    const text = textOf(chunk.result)
    if (text) events.push({ type: 'text-delta', text })
    const call = objectOf(chunk.function_call)
    if (call) {
      const index = called++
      events.push({ type: 'tool-call-start', index, id: newCallId(), name: textOf(call.name) ?? '' })
      events.push({ type: 'tool-call-delta', index, arguments: textOf(call.arguments) ?? '{}' })
    }
    if (!streaming || chunk.is_end === true) events.push({ type: 'finish', reason: finishOf(chunk, called > 0) })
    const usage = usageOf(chunk.usage)
    if (usage) events.push({ type: 'usage', usage })
    return events
  }
}

/** Wenxin workshop, version 1: errors come with HTTP 200, usage is cumulative, text only. */
export const baidu: UpstreamDialect = {
  id: 'baidu',
  framing: 'sse',
  encodeRequest,
  decodeResponse(body) {
    const chunk = objectOf(body)
    return chunk ? createReader(false)(chunk) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader(true)),
  decodeError(status, body) {
    const known = errorIn(objectOf(body) ?? {})
    return known ?? faultOfStatus(status, `Baidu answered with status ${status}.`)
  },
}
