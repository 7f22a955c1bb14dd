import { encodeCache } from '#server/dialects/cache-mark.ts'
import type {
  AssistantPart,
  ChatRequest,
  Message,
  ResponseFormat,
  ToolCallPart,
  UserPart,
} from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { imageUrls, toolCalls } from '#server/dialects/prompt-parts.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { untag } from '#server/dialects/signature.ts'
import { userLabel } from '#server/dialects/user-label.ts'
import { compact } from '#server/lib/json.ts'
import { encodeParts } from './content-parts.ts'
import { encodeReasoning } from './reasoning.ts'
import { encodeToolChoice, encodeTools } from './tools.ts'

/** What a vendor's variant of the format knows beyond OpenAI's own. */
export interface Extensions {
  /** Takes back reasoning and signatures with the messages. */
  readonly reasoning: boolean
  /** Understands `cache_control`. */
  readonly cacheControl: boolean
  /** Knows the role `developer`; elsewhere such messages are the system's. */
  readonly developer: boolean
}

type WireMessage = { [key: string]: Json | undefined }

export function encodeToolCall(call: ToolCallPart, signed: boolean, marksCache: boolean): Json {
  const extra = { google: { thought_signature: call.signature } }
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
    ...(signed && call.signature !== undefined ? { extra_content: extra } : {}),
    ...(marksCache ? encodeCache(call.cache) : {}),
  }
}

/** Keeps the proofs this format's vendors made themselves. */
function ownReasoning(part: AssistantPart): AssistantPart[] {
  if (part.type !== 'reasoning') return [part]
  const { signature, redacted, ...bare } = part
  if (redacted !== undefined) return untag('openai-chat', redacted) === undefined ? [] : [part]
  return [untag('openai-chat', signature) === undefined ? bare : part]
}

function encodeAssistantContent(parts: readonly AssistantPart[], marksCache: boolean): Json {
  const texts = parts.filter((part) => part.type === 'text')
  return texts.length === 0 ? null : encodeParts(texts, marksCache)
}

function encodeAssistant(message: Extract<Message, { role: 'assistant' }>, extensions: Extensions): WireMessage {
  const parts = message.parts.flatMap(ownReasoning)
  const calls = toolCalls(parts)
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('')
  const images = imageUrls(parts)
  return {
    role: 'assistant',
    content: encodeAssistantContent(parts, extensions.cacheControl),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(refusal === '' ? {} : { refusal }),
    ...(extensions.reasoning ? encodeReasoning(parts) : {}),
    ...(extensions.reasoning && images.length > 0 ? { images: images.map(encodeImage) } : {}),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call) => encodeToolCall(call, extensions.reasoning, extensions.cacheControl)) }),
  }
}

export function encodeImage(url: string): Json {
  return { type: 'image_url', image_url: { url } }
}

/** The format wants results right after their calls, whatever was said between them. */
function resultsFirst(messages: readonly Message[]): Message[] {
  const ordered: Message[] = []
  let between: Message[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const said of between) ordered.push(said)
      between = []
    }
    if (message.role === 'assistant' || message.role === 'tool') ordered.push(message)
    else between.push(message)
  }
  for (const said of between) ordered.push(said)
  return ordered
}

/** A turn of thoughts alone is refused. */
const saysNothing = ({ content, refusal, images, tool_calls }: WireMessage): boolean =>
  content === null && !refusal && !images && !tool_calls

/** Tool messages hold text only: what else a tool returned follows as the user's message once all results are given. */
function encodeMessages(messages: readonly Message[], extensions: Extensions): Json {
  const encoded: WireMessage[] = []
  let media: UserPart[] = []
  const giveMedia = () => {
    if (media.length > 0) encoded.push({ role: 'user', content: encodeParts(media, extensions.cacheControl) })
    media = []
  }
  for (const message of resultsFirst(messages)) {
    if (message.role === 'tool') {
      const texts = message.parts.filter((part) => part.type === 'text')
      media.push(...message.parts.filter((part) => part.type !== 'text'))
      encoded.push({ role: 'tool', tool_call_id: message.callId, content: encodeParts(texts, extensions.cacheControl) })
      continue
    }
    giveMedia()
    if (message.role === 'assistant') {
      const turn = encodeAssistant(message, extensions)
      if (!saysNothing(turn)) encoded.push(turn)
    } else {
      const name = message.role === 'user' && message.name !== undefined ? { name: message.name } : {}
      const role = message.role === 'developer' && !extensions.developer ? 'system' : message.role
      encoded.push({ role, content: encodeParts(message.parts, extensions.cacheControl), ...name })
    }
  }
  giveMedia()
  return encoded
}

function encodeFormat(format: ResponseFormat): Json {
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json') return { type: 'json_object' }
  const { name, description, strict } = format
  return { type: 'json_schema', json_schema: { name, description, schema: format.schema as Json, strict } }
}

export function encodeRequest(request: ChatRequest, extensions: Extensions): Json {
  const { tools, toolChoice, responseFormat, logprobs } = request
  return compact({
    model: request.model,
    messages: encodeMessages(request.messages, extensions),
    ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop && [...request.stop],
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    n: request.n,
    tools: tools && tools.length > 0 ? encodeTools(tools, extensions.cacheControl) : undefined,
    tool_choice: toolChoice === undefined || !tools?.length ? undefined : encodeToolChoice(toolChoice),
    parallel_tool_calls: tools?.length ? request.parallelToolCalls : undefined,
    response_format: responseFormat && encodeFormat(responseFormat),
    reasoning_effort: effortOf(request.reasoning),
    verbosity: request.verbosity,
    logprobs: logprobs ? true : undefined,
    top_logprobs: logprobs?.top,
    user: userLabel(request.user),
  })
}
