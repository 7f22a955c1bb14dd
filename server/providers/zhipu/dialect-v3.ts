import type { ChatEvent, ChatFault, ChatRequest, Message } from '#server/dialects/chat.ts'
import type { Json, StreamDecoder, UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { plainText } from '#server/dialects/prompt-parts.ts'
import { clamp } from '#server/lib/clamp.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { zhipuFault } from './fault.ts'

const roles: Record<Message['role'], string> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

function encodeRequest(request: ChatRequest): Json {
  return {
    prompt: request.messages.map((message) => ({ role: roles[message.role], content: plainText(message.parts) })),
    temperature: clamp(request.temperature, 0.01, 0.99),
    top_p: clamp(request.topP, 0.01, 0.99),
    incremental: request.stream ? true : undefined,
  }
}

/** Plain answers come as JSON text: in quotes and escaped. */
function unquoted(content: string): string {
  const trimmed = content.trim()
  const value = trimmed.startsWith('"') ? parseJson(trimmed) : undefined
  return (textOf(value) ?? trimmed.replace(/^"|"$/g, '')).trim()
}

function usageEvents(value: unknown): ChatEvent[] {
  const usage = objectOf(value)
  if (!usage) return []
  const total = numberOf(usage.total_tokens) ?? 0
  const output = numberOf(usage.completion_tokens) ?? 0
  return [{ type: 'usage', usage: { input: numberOf(usage.prompt_tokens) ?? Math.max(0, total - output), output } }]
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const code = numberOf(body.code)
  if (body.success === true || code === undefined || code === 200) return undefined
  return zhipuFault(String(code), textOf(body.msg) ?? `Zhipu error ${code}`)
}

function decodeResponse(body: unknown): ChatEvent[] {
  const answer = objectOf(body)
  if (!answer) return faultEvents(unreadable())
  const error = errorIn(answer)
  if (error) return faultEvents(error)
  const data = objectOf(answer.data) ?? {}
  const texts = arrayOf(data.choices).map((choice) => unquoted(textOf(objectOf(choice)?.content) ?? ''))
  return [
    { type: 'start', id: textOf(data.task_id) },
    { type: 'text-delta', text: texts.join('') },
    { type: 'finish', reason: 'stop' },
    ...usageEvents(data.usage),
  ]
}

function streamDecoder(): StreamDecoder {
  let started = false
  const start = (): ChatEvent[] => {
    const events: ChatEvent[] = started ? [] : [{ type: 'start' }]
    started = true
    return events
  }
  return {
    push(frame) {
      const fault = errorIn(objectOf(parseJson(frame.data)) ?? {})
      if (fault) return faultEvents(fault)
      if (frame.event === 'error' || frame.event === 'interrupted')
        return faultEvents(faultOfStatus(500, frame.data || 'Zhipu broke the answer off.'))
      const events = start()
      if (frame.data !== '') events.push({ type: 'text-delta', text: frame.data })
      if (frame.event === 'finish') events.push({ type: 'finish', reason: 'stop' })
      if (frame.meta !== undefined) events.push(...usageEvents(objectOf(parseJson(frame.meta))?.usage))
      return events
    },
    end: () => [],
  }
}

/** Zhipu's third version, spoken by the `chatglm_*` models alone: text only, errors with HTTP 200. */
export const zhipuV3: UpstreamDialect = {
  id: 'zhipu-v3',
  framing: 'sse',
  encodeRequest,
  decodeResponse,
  streamDecoder,
  decodeError(status, body) {
    return errorIn(objectOf(body) ?? {}) ?? faultOfStatus(status, `Zhipu answered with status ${status}.`)
  },
}
