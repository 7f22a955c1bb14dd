import type { AssistantPart, ChatRequest, Message, ResponseFormat, UserPart } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { fileName } from '#server/dialects/openai-chat/file-name.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { userLabel } from '#server/dialects/user-label.ts'
import { compact } from '#server/lib/json.ts'
import { parseDataUrl } from '#server/lib/network/data-url.ts'
import { ownProof } from './encrypted-content.ts'
import { encodeToolChoice, encodeTools } from './tools.ts'

function encodePart(part: UserPart): Json {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return compact({ type: 'input_image', image_url: part.url, detail: part.detail })
    case 'file': {
      const inline = parseDataUrl(part.url)
      if (!inline) return { type: 'input_file', file_url: part.url }
      return { type: 'input_file', file_data: part.url, filename: fileName(part.filename, inline.mediaType) }
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
  }
}

/** Reasoning without OpenAI's own proof would be refused and stays out. */
function encodeAssistantPart(part: AssistantPart): Json[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }]
    case 'refusal':
      return [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }]
    case 'tool-call': {
      const args = part.arguments === '' ? '{}' : part.arguments
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: args }]
    }
    case 'reasoning': {
      const proof = ownProof(part)
      if (!proof) return []
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
      return [{ type: 'reasoning', id: proof.id, summary, encrypted_content: proof.encrypted }]
    }
    case 'image':
      return []
  }
}

function encodeOutput(parts: readonly UserPart[]): Json {
  const only = parts.length === 1 ? parts[0] : undefined
  if (parts.length === 0) return ''
  return only?.type === 'text' ? only.text : parts.map(encodePart)
}

function encodeMessage(message: Message): Json[] {
  if (message.role === 'assistant') return message.parts.flatMap(encodeAssistantPart)
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.callId, output: encodeOutput(message.parts) }]
  }
  return [{ type: 'message', role: message.role, content: message.parts.map(encodePart) }]
}

export function encodeFormat(format: ResponseFormat): Json {
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json') return { type: 'json_object' }
  const { name, description, strict } = format
  return compact({ type: 'json_schema', name, description, schema: format.schema as Json, strict })
}

function encodeReasoning(reasoning: ChatRequest['reasoning']): Json | undefined {
  if (!reasoning) return undefined
  const effort = effortOf(reasoning)
  const shows = effort !== 'none' && reasoning.show !== false
  return compact({ effort, summary: shows ? 'auto' : undefined })
}

function holdsOwnReasoning(messages: readonly Message[]): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' && message.parts.some((part) => part.type === 'reasoning' && ownProof(part)),
  )
}

/** Without it OpenAI keeps the likelihoods to itself. */
export const logprobsInclude = 'message.output_text.logprobs'

export function encodeRequest(request: ChatRequest): Json {
  const { tools, toolChoice, responseFormat, verbosity, messages } = request
  const hasTools = tools !== undefined && tools.length > 0
  const reasons = request.wantsProofs || request.reasoning !== undefined || holdsOwnReasoning(messages)
  const include = [...(reasons ? ['reasoning.encrypted_content'] : []), ...(request.logprobs ? [logprobsInclude] : [])]
  const text = compact({ format: responseFormat && encodeFormat(responseFormat), verbosity })
  return compact({
    model: request.model,
    input: messages.flatMap(encodeMessage),
    store: false,
    stream: request.stream ? true : undefined,
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: request.logprobs?.top,
    tools: hasTools ? encodeTools(tools) : undefined,
    tool_choice: hasTools && toolChoice !== undefined ? encodeToolChoice(toolChoice) : undefined,
    parallel_tool_calls: hasTools ? request.parallelToolCalls : undefined,
    text: Object.keys(text).length === 0 ? undefined : text,
    reasoning: encodeReasoning(request.reasoning),
    include: include.length === 0 ? undefined : include,
    user: request.user === request.openaiFields?.safety_identifier ? undefined : userLabel(request.user),
    service_tier: request.serviceTier,
    prompt_cache_key: request.cacheKey,
    ...(request.openaiFields as { [key: string]: Json } | undefined),
  })
}
