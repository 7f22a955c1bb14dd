import { z } from 'zod'
import { decodeCache } from '#server/dialects/cache-mark.ts'
import type {
  ChatRequest,
  Message,
  ResponseFormat,
  TextPart,
  Tool,
  ToolChoice,
  UserPart,
} from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { anyObject, maybe, parseBody } from '#server/dialects/parse-body.ts'
import { isEffort } from '#server/dialects/reasoning-effort.ts'
import { restoreCallSignatures } from '#server/dialects/signature.ts'
import { compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { decodeAssistantBlock, decodeUserBlock, decodeUserBlocks } from './blocks.ts'
import { decodeTools } from './tools-decode.ts'

const number = maybe(z.number())

const schema = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(anyObject)]) })),
  system: maybe(z.union([z.string(), z.array(anyObject)])),
  stream: maybe(z.boolean()),
  stop_sequences: maybe(z.array(z.string())),
  temperature: number,
  top_p: number,
  top_k: number,
  tools: maybe(z.array(anyObject)),
  tool_choice: maybe(anyObject),
  thinking: maybe(anyObject),
  output_config: maybe(anyObject),
  output_format: maybe(anyObject),
  mcp_servers: maybe(z.array(z.unknown())),
  metadata: maybe(anyObject),
})

type Body = z.infer<typeof schema>
type WireMessage = Body['messages'][number]

function decodeSystem(system: Body['system']): Message[] {
  if (system === undefined) return []
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system
  const parts = blocks.map((block: JsonObject): TextPart => {
    return { type: 'text', text: textOf(block.text) ?? '', ...decodeCache(block) }
  })
  return [{ role: 'system', parts }]
}

function decodeResult(block: JsonObject, path: string): Message {
  const callId = textOf(block.tool_use_id)
  if (!callId) throw new BadRequest(`${path}.tool_use_id is required and must be a string`, path)
  const isError = block.is_error === true ? { isError: true } : {}
  return { role: 'tool', callId, parts: decodeUserBlocks(block.content, path), ...isError, ...decodeCache(block) }
}

/** A user turn may hold results of tools and the user's own words; the results come first. */
function decodeUser(message: WireMessage, path: string): Message[] {
  if (typeof message.content === 'string') return [{ role: 'user', parts: decodeUserBlocks(message.content, path) }]
  const results: Message[] = []
  const parts: UserPart[] = []
  message.content.forEach((block, index) => {
    const at = `${path}.content[${index}]`
    if (block.type === 'tool_result') results.push(decodeResult(block, at))
    else parts.push(...decodeUserBlock(block, at))
  })
  return parts.length === 0 && results.length > 0 ? results : [...results, { role: 'user', parts }]
}

function decodeMessage(message: WireMessage, index: number): Message[] {
  const path = `messages[${index}]`
  const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
  switch (message.role) {
    case 'user':
      return decodeUser(message, path)
    case 'assistant':
      return [{ role: 'assistant', parts: restoreCallSignatures(blocks.flatMap(decodeAssistantBlock)) }]
    case 'system':
      return decodeSystem(message.content)
    default:
      throw new BadRequest(`${path}.role must be user or assistant`, `${path}.role`)
  }
}

/** A tool that is left out cannot be demanded. */
function decodeToolChoice(
  { tool_choice: choice, tools: listed = [] }: Body,
  kept: readonly Tool[] = [],
): ToolChoice | undefined {
  if (!choice) return undefined
  if (choice.type === 'any') return 'required'
  if (choice.type === 'none') return 'none'
  const name = choice.type === 'tool' ? textOf(choice.name) : undefined
  const isLeftOut = listed.some((tool) => tool.name === name) && !kept.some((tool) => tool.name === name)
  return name === undefined || isLeftOut ? 'auto' : { name }
}

function decodeReasoning({ thinking, output_config }: Body): ChatRequest['reasoning'] {
  const effort = output_config?.effort
  const budget = thinking?.budget_tokens
  const wish = compact({
    effort: thinking?.type === 'disabled' ? ('none' as const) : isEffort(effort) ? effort : undefined,
    budgetTokens: thinking?.type === 'enabled' && typeof budget === 'number' ? budget : undefined,
    show: thinking === undefined || thinking.type === 'disabled' ? undefined : thinking.display !== 'omitted',
  })
  return Object.keys(wish).length === 0 ? undefined : wish
}

/** `output_format` is where betas had it. */
function decodeFormat({ output_config, output_format }: Body): ResponseFormat | undefined {
  const format = objectOf(output_config?.format) ?? output_format
  if (format?.type !== 'json_schema') return undefined
  return { type: 'json-schema', name: 'answer', schema: objectOf(format.schema) ?? {} }
}

export function decodeRequest(raw: unknown): ChatRequest {
  const body = parseBody(schema, raw)
  if (body.thread) {
    throw new BadRequest('thread is kept by Anthropic only: send the whole conversation without it', 'thread', {
      error_code: 'thread_unsupported_request',
    })
  }
  if (body.messages.length === 0) throw new BadRequest('messages must hold at least one message', 'messages')
  const tools = decodeTools(body.tools, body.mcp_servers)
  return compact<ChatRequest>({
    model: body.model,
    messages: [...decodeSystem(body.system), ...body.messages.flatMap(decodeMessage)],
    stream: body.stream ?? false,
    includeUsage: true,
    maxOutputTokens: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    stop: body.stop_sequences,
    ...tools,
    toolChoice: decodeToolChoice(body, tools.tools),
    parallelToolCalls: body.tool_choice?.disable_parallel_tool_use === true ? false : undefined,
    responseFormat: decodeFormat(body),
    reasoning: decodeReasoning(body),
    user: textOf(body.metadata?.user_id),
  })
}
