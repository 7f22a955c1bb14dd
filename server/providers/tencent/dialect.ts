import type {
  ChatEvent,
  ChatFault,
  ChatRequest,
  FinishReason,
  Message,
  Tool,
  Usage,
  UserPart,
} from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { type FaultKind, faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { imageUrls, newCallId, plainText, reasoningText, toolCalls } from '#server/dialects/prompt-parts.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'

const finishReasons = words<FinishReason>({
  stop: 'stop',
  length: 'length',
  sensitive: 'content-filter',
  tool_calls: 'tool-calls',
})

/** First match wins. */
const faultPatterns: readonly (readonly [RegExp, FaultKind])[] = [
  [/^AuthFailure/, 'credentials'],
  [/LimitExceeded|RequestLimit/, 'rate'],
  [/ChargeResourceExhausted|ResourcePackExhausted|Arrears/, 'quota'],
  [/^OperationDenied.*Illegal/, 'filtered'],
  [/^(InvalidParameter|UnsupportedOperation|MissingParameter|UnknownParameter)/, 'invalid'],
  [/^(UnauthorizedOperation|OperationDenied)/, 'barred'],
  [/^ResourceNotFound/, 'notFound'],
]

function userContent(parts: readonly UserPart[]): Record<string, Json> {
  if (imageUrls(parts).length === 0) return { Content: plainText(parts) }
  return {
    Contents: parts.flatMap((part): Json[] => {
      if (part.type === 'text') return [{ Type: 'text', Text: part.text }]
      if (part.type === 'image') return [{ Type: 'image_url', ImageUrl: { Url: part.url } }]
      return []
    }),
  }
}

function messageOf(message: Message): Json {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { Role: 'system', Content: plainText(message.parts) }
    case 'user':
      return { Role: 'user', ...userContent(message.parts) }
    case 'tool':
      return { Role: 'tool', Content: plainText(message.parts), ToolCallId: message.callId }
    case 'assistant': {
      const calls = toolCalls(message.parts).map((call, Index) => ({
        Id: call.id,
        Type: 'function',
        Index,
        Function: { Name: call.name, Arguments: call.arguments === '' ? '{}' : call.arguments },
      }))
      return {
        Role: 'assistant',
        Content: plainText(message.parts, ''),
        ReasoningContent: reasoningText(message.parts) || undefined,
        ToolCalls: calls.length > 0 ? calls : undefined,
      }
    }
  }
}

const toolOf = (tool: Tool): Json => ({
  Type: 'function',
  Function: {
    Name: tool.name,
    Description: tool.description,
    Parameters: JSON.stringify(tool.parameters ?? { type: 'object', properties: {} }),
  },
})

function toolFields(request: ChatRequest): Record<string, Json | undefined> {
  if (!request.tools?.length) return {}
  const { toolChoice, tools } = request
  const forced = typeof toolChoice === 'object' ? tools.find((tool) => tool.name === toolChoice.name) : undefined
  return {
    Tools: tools.map(toolOf),
    ToolChoice: forced ? 'custom' : toolChoice === 'none' ? 'none' : 'auto',
    CustomTool: forced ? toolOf(forced) : undefined,
  }
}

function encodeRequest(request: ChatRequest): Json {
  const effort = effortOf(request.reasoning)
  return {
    Model: request.model,
    Messages: request.messages.map(messageOf),
    Stream: request.stream,
    Temperature: request.temperature,
    TopP: request.topP,
    Stop: request.stop ? [...request.stop] : undefined,
    Seed: request.seed,
    EnableThinking: effort === undefined ? undefined : effort !== 'none',
    ...toolFields(request),
  }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  return { input: numberOf(usage.PromptTokens) ?? 0, output: numberOf(usage.CompletionTokens) ?? 0 }
}

function faultOfCode(code: string, message: string): ChatFault {
  const kind = faultPatterns.find(([pattern]) => pattern.test(code))?.[1] ?? 'internal'
  return faultOfKind(kind, message, code)
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const error = objectOf(body.Error) ?? objectOf(body.ErrorMsg)
  if (!error) return undefined
  const code = textOf(error.Code) ?? String(error.Code ?? '')
  return faultOfCode(code, textOf(error.Message) ?? textOf(error.Msg) ?? code)
}

function callEvents(calls: readonly unknown[], open: Set<number>): ChatEvent[] {
  return calls.flatMap((value, position): ChatEvent[] => {
    const call = objectOf(value) ?? {}
    const made = objectOf(call.Function) ?? {}
    const index = numberOf(call.Index) ?? position
    const events: ChatEvent[] = []
    if (!open.has(index))
      events.push({
        type: 'tool-call-start',
        index,
        id: textOf(call.Id) || newCallId(),
        name: textOf(made.Name) ?? '',
      })
    open.add(index)
    const text = textOf(made.Arguments)
    if (text) events.push({ type: 'tool-call-delta', index, arguments: text })
    return events
  })
}

function createReader(): (chunk: JsonObject) => ChatEvent[] {
  let started = false
  const open = new Set<number>()
  return (chunk) => {
    const error = errorIn(chunk)
    if (error) return faultEvents(error)
    const events: ChatEvent[] = []
    if (!started) events.push({ type: 'start', id: textOf(chunk.Id), created: numberOf(chunk.Created) })
    started = true
    for (const value of arrayOf(chunk.Choices)) {
      const entry = objectOf(value) ?? {}
      const said = objectOf(entry.Delta) ?? objectOf(entry.Message) ?? {}
      const reasoning = textOf(said.ReasoningContent)
      if (reasoning) events.push({ type: 'reasoning-delta', text: reasoning })
      const text = textOf(said.Content)
      if (text) events.push({ type: 'text-delta', text })
      events.push(...callEvents(arrayOf(said.ToolCalls), open))
      const reason = textOf(entry.FinishReason)
      if (reason) events.push({ type: 'finish', reason: finishReasons[reason] ?? 'stop' })
    }
    const usage = usageOf(chunk.Usage)
    if (usage) events.push({ type: 'usage', usage })
    return events
  }
}

/** Plain answers and errors are wrapped in `Response`, chunks are not. */
const unwrapped = (body: unknown): JsonObject | undefined => {
  const whole = objectOf(body)
  return objectOf(whole?.Response) ?? whole
}

/** Hunyuan of Tencent Cloud's API 3.0; errors come with HTTP 200. */
export const tencent: UpstreamDialect = {
  id: 'tencent',
  framing: 'sse',
  carries: new Set(['image']),
  encodeRequest,
  decodeResponse(body) {
    const answer = unwrapped(body)
    return answer ? createReader()(answer) : faultEvents(unreadable())
  },
  streamDecoder() {
    const read = createReader()
    return jsonStreamDecoder((chunk) => read(unwrapped(chunk) ?? chunk))
  },
  decodeError(status, body) {
    const known = errorIn(unwrapped(body) ?? {})
    return known ?? faultOfStatus(status, `Tencent answered with status ${status}.`)
  },
}
