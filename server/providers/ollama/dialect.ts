import type { ChatEvent, ChatRequest, Effort, FinishReason, Message, Tool, Usage } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import {
  imageUrls,
  namesOfCalls,
  newCallId,
  plainText,
  reasoningText,
  toolCalls,
} from '#server/dialects/prompt-parts.ts'
import { effortOf, nearestEffort } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, parseObject, textOf } from '#server/lib/json.ts'
import { parseDataUrl } from '#server/lib/network/data-url.ts'

/** Only bytes are taken; addresses have become `data:` URLs before this point. */
function imagesOf(urls: readonly string[]): Json | undefined {
  const images = urls.flatMap((url) => parseDataUrl(url)?.base64 ?? [])
  return images.length > 0 ? images : undefined
}

function messageOf(message: Message, names: ReadonlyMap<string, string>): Json {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: plainText(message.parts) }
    case 'user':
      return { role: 'user', content: plainText(message.parts), images: imagesOf(imageUrls(message.parts)) }
    case 'tool':
      return {
        role: 'tool',
        content: plainText(message.parts),
        tool_name: message.name ?? names.get(message.callId),
        images: imagesOf(imageUrls(message.parts)),
      }
    case 'assistant': {
      const calls = toolCalls(message.parts).map((call) => ({
        function: { name: call.name, arguments: parseObject(call.arguments) as Json },
      }))
      return {
        role: 'assistant',
        content: plainText(message.parts, ''),
        thinking: reasoningText(message.parts) || undefined,
        tool_calls: calls.length > 0 ? calls : undefined,
      }
    }
  }
}

const toolOf = (tool: Tool): Json => ({
  type: 'function',
  function: {
    name: tool.name,
    description: tool.description ?? '',
    parameters: (tool.parameters ?? { type: 'object', properties: {} }) as Json,
  },
})

/** Models that can think do so unasked; the others refuse to be asked, and only one line knows how much. */
function thinkOf(model: string, effort: Effort | undefined): Json | undefined {
  if (effort === 'none') return false
  return effort === undefined || !model.includes('gpt-oss') ? undefined : nearestEffort(effort, 'low', 'high')
}

function formatOf(format: ChatRequest['responseFormat']): Json | undefined {
  if (format?.type === 'json') return 'json'
  return format?.type === 'json-schema' ? (format.schema as Json) : undefined
}

function encodeRequest(request: ChatRequest): Json {
  const names = namesOfCalls(request.messages)
  const usable = request.tools?.length && request.toolChoice !== 'none' ? request.tools : undefined
  return {
    model: request.model,
    messages: request.messages.map((message) => messageOf(message, names)),
    stream: request.stream,
    tools: usable?.map(toolOf),
    think: thinkOf(request.model, effortOf(request.reasoning)),
    format: formatOf(request.responseFormat),
    options: {
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK,
      seed: request.seed,
      stop: request.stop ? [...request.stop] : undefined,
      num_predict: request.maxOutputTokens,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
    },
  }
}

function callEvents(calls: readonly unknown[], first: number): ChatEvent[] {
  return calls.flatMap((value, position): ChatEvent[] => {
    const call = objectOf(value) ?? {}
    const made = objectOf(call.function) ?? {}
    const index = first + position
    return [
      { type: 'tool-call-start', index, id: textOf(call.id) || newCallId(), name: textOf(made.name) ?? '' },
      { type: 'tool-call-delta', index, arguments: JSON.stringify(objectOf(made.arguments) ?? {}) },
    ]
  })
}

/** `prompt_eval_count` is left out when the whole prompt was cached, so one count alone is a report too. */
function usageOf(chunk: JsonObject): Usage | undefined {
  const [input, output] = [numberOf(chunk.prompt_eval_count), numberOf(chunk.eval_count)]
  return input === undefined && output === undefined ? undefined : { input: input ?? 0, output: output ?? 0 }
}

function finishOf(chunk: JsonObject, called: number): FinishReason {
  if (chunk.done_reason === 'length') return 'length'
  return called > 0 ? 'tool-calls' : 'stop'
}

const createdAt = (value: unknown): number | undefined => {
  const time = Date.parse(textOf(value) ?? '')
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

function createReader(): (chunk: JsonObject) => ChatEvent[] {
  let started = false
  let called = 0
  return (chunk) => {
    const error = textOf(chunk.error)
    if (error !== undefined) return faultEvents(faultOfKind('internal', error))
    const events: ChatEvent[] = []
    if (!started) events.push({ type: 'start', model: textOf(chunk.model), created: createdAt(chunk.created_at) })
    started = true
    const message = objectOf(chunk.message) ?? {}
    const thinking = textOf(message.thinking)
    if (thinking) events.push({ type: 'reasoning-delta', text: thinking })
    const text = textOf(message.content)
    if (text) events.push({ type: 'text-delta', text })
    const calls = arrayOf(message.tool_calls)
    events.push(...callEvents(calls, called))
    called += calls.length
    if (chunk.done === true) events.push({ type: 'finish', reason: finishOf(chunk, called) })
    const usage = chunk.done === true ? usageOf(chunk) : undefined
    if (usage) events.push({ type: 'usage', usage })
    return events
  }
}

/** Ollama's own chat: one JSON object a line, whole tool calls without ids. */
export const ollama: UpstreamDialect = {
  id: 'ollama',
  framing: 'ndjson',
  carries: new Set(['image']),
  encodeRequest,
  decodeResponse(body) {
    const chunk = objectOf(body)
    return chunk ? createReader()(chunk) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader()),
  decodeError(status, body) {
    return faultOfStatus(status, textOf(objectOf(body)?.error) ?? `Ollama answered with status ${status}.`)
  },
}
