import { z } from 'zod'
import { decodeCache } from '#server/dialects/cache-mark.ts'
import type { AssistantPart, ChatRequest, Message, ResponseFormat, ToolCallPart } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { anyObject, maybe, parseBody } from '#server/dialects/parse-body.ts'
import { isEffort } from '#server/dialects/reasoning-effort.ts'
import { argumentsOfText } from '#server/dialects/tools/text-tool.ts'
import { compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { decodeTextParts, decodeUserParts } from './content-parts.ts'
import { decodeReasoning } from './reasoning.ts'
import { decodeAllowed, decodeToolChoice, decodeTools } from './tools.ts'

const content = maybe(z.union([z.string(), z.array(anyObject)]))

const messageSchema = z.looseObject({
  role: z.string(),
  content,
  name: maybe(z.string()),
  refusal: maybe(z.string()),
  tool_calls: maybe(z.array(anyObject)),
  tool_call_id: maybe(z.string()),
  images: maybe(z.array(anyObject)),
})

const number = maybe(z.number())

const schema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  modalities: maybe(z.array(z.unknown())),
  audio: maybe(z.unknown()),
  web_search_options: maybe(z.unknown()),
  stream: maybe(z.boolean()),
  stream_options: maybe(z.looseObject({ include_usage: maybe(z.boolean()) })),
  max_completion_tokens: number,
  max_tokens: number,
  temperature: number,
  top_p: number,
  top_k: number,
  stop: maybe(z.union([z.string(), z.array(z.string())])),
  seed: number,
  presence_penalty: number,
  frequency_penalty: number,
  n: number,
  tools: maybe(z.array(anyObject)),
  functions: maybe(z.unknown()),
  tool_choice: maybe(z.unknown()),
  parallel_tool_calls: maybe(z.boolean()),
  response_format: maybe(anyObject),
  reasoning_effort: maybe(z.string()),
  reasoning: maybe(anyObject),
  verbosity: maybe(z.string()),
  logprobs: maybe(z.boolean()),
  top_logprobs: number,
  user: maybe(z.string()),
  safety_identifier: maybe(z.string()),
  service_tier: maybe(z.string()),
  prompt_cache_key: maybe(z.string()),
  prompt_cache_options: maybe(anyObject),
  metadata: maybe(anyObject),
  store: maybe(z.boolean()),
})

/** The fields that are read. */
export const chatFields: ReadonlySet<string> = new Set(Object.keys(schema.shape))

type Body = z.infer<typeof schema>
type WireMessage = z.infer<typeof messageSchema>

function decodeToolCall(call: JsonObject, path: string): ToolCallPart {
  const custom = call.type === 'custom' ? objectOf(call.custom) : undefined
  const called = custom ?? objectOf(call.function)
  const name = textOf(called?.name)
  if (!name) throw new BadRequest(`${path}.function.name is required and must be a string`, path)
  const signature = textOf(objectOf(objectOf(call.extra_content)?.google)?.thought_signature)
  return {
    type: 'tool-call',
    id: textOf(call.id) ?? '',
    name,
    arguments: custom ? argumentsOfText(textOf(custom.input) ?? '') : (textOf(called?.arguments) ?? ''),
    ...(signature === undefined ? {} : { signature }),
    ...decodeCache(call),
  }
}

function decodeAssistantContent(message: WireMessage, path: string): AssistantPart[] {
  const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
  return (parts ?? []).flatMap((part: JsonObject, index): AssistantPart[] => {
    const text = textOf(part.text) ?? textOf(part.refusal) ?? ''
    if (part.type === 'refusal') return [{ type: 'refusal', text }]
    if (part.type !== 'text') throw new BadRequest(`${path}.content[${index}] must be text or a refusal`, path)
    return text === '' ? [] : [{ type: 'text', text, ...decodeCache(part) }]
  })
}

function decodeAssistant(message: WireMessage, path: string): Message {
  const images = (message.images ?? []).flatMap((image): AssistantPart[] => {
    const url = textOf(objectOf(image.image_url)?.url)
    return url === undefined ? [] : [{ type: 'image', url }]
  })
  const calls = (message.tool_calls ?? []).map((call, at) => decodeToolCall(call, `${path}.tool_calls[${at}]`))
  const parts: AssistantPart[] = [
    ...decodeReasoning(message),
    ...decodeAssistantContent(message, path),
    ...(message.refusal === undefined ? [] : [{ type: 'refusal' as const, text: message.refusal }]),
    ...images,
    ...calls,
  ]
  return compact({ role: 'assistant', parts, name: message.name })
}

function decodeMessage(message: WireMessage, index: number): Message {
  const path = `messages[${index}]`
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: message.role, parts: decodeTextParts(message.content, path) }
    case 'user':
      return compact({ role: 'user', parts: decodeUserParts(message.content, path), name: message.name })
    case 'assistant':
      return decodeAssistant(message, path)
    case 'tool': {
      if (!message.tool_call_id) throw new BadRequest(`${path}.tool_call_id is required and must be a string`, path)
      const parts = decodeUserParts(message.content, path)
      return compact({ role: 'tool', callId: message.tool_call_id, name: message.name, parts })
    }
    default:
      throw new BadRequest(`${path}.role must be system, developer, user, assistant or tool`, `${path}.role`)
  }
}

function decodeFormat(format: JsonObject | undefined): ResponseFormat | undefined {
  if (!format) return undefined
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') return { type: 'text' }
  const described = objectOf(format.json_schema) ?? {}
  return compact<ResponseFormat>({
    type: 'json-schema',
    name: textOf(described.name) ?? 'answer',
    schema: objectOf(described.schema) ?? {},
    description: textOf(described.description),
    strict: typeof described.strict === 'boolean' ? described.strict : undefined,
  })
}

/** `reasoning` is how relays that go beyond OpenAI let clients name a budget or hide the text. */
function decodeReasoningSettings(body: Body): ChatRequest['reasoning'] {
  const effort = body.reasoning_effort ?? body.reasoning?.effort
  const budget = body.reasoning?.max_tokens
  const wish = compact({
    effort: isEffort(effort) ? effort : undefined,
    budgetTokens: typeof budget === 'number' ? budget : undefined,
    show: body.reasoning?.exclude === true ? false : undefined,
  })
  return Object.keys(wish).length === 0 ? undefined : wish
}

/** Nothing is stored for a client that does not say so. */
function decodeOwnFields(body: Body): ChatRequest['openaiFields'] {
  const fields = compact({
    store: body.store || undefined,
    metadata: body.metadata,
    safety_identifier: body.safety_identifier,
    prompt_cache_options: body.prompt_cache_options,
  })
  return Object.keys(fields).length === 0 ? undefined : fields
}

export function decodeRequest(raw: unknown): ChatRequest {
  const body = parseBody(schema, raw)
  if (body.functions !== undefined) throw new BadRequest('functions is not supported: use tools instead', 'functions')
  if (body.audio || body.modalities?.includes('audio'))
    throw new BadRequest('audio (modalities) cannot be had from this model: ask for text', 'modalities')
  if (body.messages.length === 0) throw new BadRequest('messages must hold at least one message', 'messages')
  const { verbosity } = body
  return compact<ChatRequest>({
    model: body.model,
    messages: body.messages.map(decodeMessage),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    stop: typeof body.stop === 'string' ? [body.stop] : body.stop,
    seed: body.seed,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    n: body.n,
    tools: decodeTools(body.tools),
    leftOut: body.web_search_options === undefined ? undefined : ['web_search'],
    toolChoice: decodeToolChoice(body.tool_choice),
    ...decodeAllowed(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls,
    responseFormat: decodeFormat(body.response_format),
    reasoning: decodeReasoningSettings(body),
    verbosity: verbosity === 'low' || verbosity === 'medium' || verbosity === 'high' ? verbosity : undefined,
    logprobs: body.logprobs ? compact({ top: body.top_logprobs }) : undefined,
    user: body.user ?? body.safety_identifier,
    serviceTier: body.service_tier,
    cacheKey: body.prompt_cache_key,
    openaiFields: decodeOwnFields(body),
  })
}
