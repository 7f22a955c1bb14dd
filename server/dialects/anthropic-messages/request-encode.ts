import { encodeCache } from '#server/dialects/cache-mark.ts'
import type { ChatRequest, Effort, Message, TextPart, Tool, ToolChoice } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { objectSchema } from '#server/dialects/tools/object-schema.ts'
import { type Conversation, mergeTurns, splitSystem } from '#server/dialects/turns.ts'
import { compact } from '#server/lib/json.ts'
import { callId, encodeAssistantPart, encodeUserPart } from './blocks.ts'

/** The format demands a limit; this one is sent when nobody set any. */
const DEFAULT_MAX_TOKENS = 4096
const SMALLEST_BUDGET = 1024
/** Below this the model may not sample while it thinks. */
const SMALLEST_THINKING_TOP_P = 0.95

function encodeSystem(parts: readonly TextPart[]): Json | undefined {
  const said = parts.filter(({ text }) => text.trim() !== '')
  const only = said.length === 1 ? said[0] : undefined
  if (said.length === 0) return undefined
  return only && !only.cache ? only.text : said.flatMap(encodeUserPart)
}

type ToolMessage = Extract<Message, { role: 'tool' }>

function encodeResult(message: ToolMessage): Json {
  const only = message.parts.length === 1 ? message.parts[0] : undefined
  return {
    type: 'tool_result',
    tool_use_id: callId(message.callId),
    content:
      only?.type === 'text' && !only.cache ? only.text.trim() && only.text : message.parts.flatMap(encodeUserPart),
    ...(message.isError ? { is_error: true } : {}),
    ...encodeCache(message.cache),
  }
}

interface Block {
  readonly isResult: boolean
  readonly json: Json
}

const plainBlock = (json: Json): Block => ({ isResult: false, json })

type Turns = Conversation['turns']

/** The API refuses an answer to go on with that ends in blanks. */
export function withoutTrailingBlanks(turns: Turns): Turns {
  const last = turns.at(-1)
  const end = last?.role === 'assistant' ? last.parts.at(-1) : undefined
  if (last?.role !== 'assistant' || end?.type !== 'text') return turns
  return [...turns.slice(0, -1), { ...last, parts: last.parts.with(-1, { ...end, text: end.text.trimEnd() }) }]
}

function encodeMessages(turns: Turns): Json {
  const blocks = withoutTrailingBlanks(turns).map((turn) => {
    if (turn.role === 'assistant') {
      return { role: 'assistant', items: turn.parts.flatMap(encodeAssistantPart).map(plainBlock) }
    }
    if (turn.role === 'tool') return { role: 'user', items: [{ isResult: true, json: encodeResult(turn) }] }
    return { role: 'user', items: turn.parts.flatMap(encodeUserPart).map(plainBlock) }
  })
  const messages = mergeTurns(blocks).map(({ role, items }) => ({
    role,
    content: [...items.filter((block) => block.isResult), ...items.filter((block) => !block.isResult)].map(
      (block) => block.json,
    ),
  }))
  return messages[0]?.role === 'assistant' ? [opening, ...messages] : messages
}

/** The API wants the user to begin. */
const opening: Json = { role: 'user', content: [{ type: 'text', text: '.' }] }

function encodeTool(tool: Tool): Json {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: objectSchema(tool.parameters) as Json,
    ...(tool.strict === undefined ? {} : { strict: tool.strict }),
    ...encodeCache(tool.cache),
  }
}

function encodeToolChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): Json | undefined {
  const single = parallel === false ? { disable_parallel_tool_use: true } : {}
  if (choice === undefined) return parallel === false ? { type: 'auto', ...single } : undefined
  if (choice === 'none') return { type: 'none' }
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name, ...single }
  return { type: choice === 'required' ? 'any' : 'auto', ...single }
}

const isForced = (choice: ToolChoice | undefined) => choice === 'required' || typeof choice === 'object'

/** With a budget Claude goes on from calls of tools only after the thoughts that led to them, which not every client gives back. */
function lacksThoughts({ messages }: ChatRequest): boolean {
  const last = messages.findLast(({ role }) => role !== 'tool')
  if (last?.role !== 'assistant' || !last.parts.some(({ type }) => type === 'tool-call')) return false
  return !last.parts.some((part) => part.type === 'reasoning' && encodeAssistantPart(part).length > 0)
}

/** `effort` for models that take a word, a budget for those that take a number; never thinking with a forced tool. */
function encodeThinking(request: ChatRequest, maxTokens: number): { type: string; [key: string]: Json } | undefined {
  const { effort, budgetTokens, show } = request.reasoning ?? {}
  if (effort === 'none' || budgetTokens === 0) return { type: 'disabled' }
  if (isForced(request.toolChoice)) return undefined
  if (budgetTokens !== undefined && budgetTokens > 0) {
    if (lacksThoughts(request)) return undefined
    const budget = Math.min(Math.max(budgetTokens, SMALLEST_BUDGET), maxTokens - 1)
    return budget < SMALLEST_BUDGET ? undefined : { type: 'enabled', budget_tokens: budget }
  }
  if (effort === undefined && show === undefined) return undefined
  return { type: 'adaptive', display: show === false ? 'omitted' : 'summarized' }
}

export function encodeEffort(effort: Effort | undefined): string | undefined {
  if (effort === undefined || effort === 'none') return undefined
  return effort === 'minimal' ? 'low' : effort
}

function encodeOutput(request: ChatRequest): Json | undefined {
  const { responseFormat } = request
  const effort = encodeEffort(request.reasoning?.effort)
  const schema = responseFormat?.type === 'json-schema' ? responseFormat.schema : undefined
  if (effort === undefined && schema === undefined) return undefined
  return compact({ effort, format: schema && { type: 'json_schema', schema: schema as Json } })
}

/** How Claude is to think, how long it may answer then, and whether it takes settings of sampling beside it. */
export function thinkingOf(request: ChatRequest) {
  const { maxOutputTokens, reasoning } = request
  const maxTokens = maxOutputTokens ?? DEFAULT_MAX_TOKENS + Math.max(reasoning?.budgetTokens ?? 0, 0)
  const thinking = encodeThinking(request, maxTokens)
  return { maxTokens, thinking, samples: thinking === undefined || thinking.type === 'disabled' }
}

/** Claude refuses to stop at blanks. */
export const stopsOf = ({ stop = [] }: ChatRequest): string[] => stop.filter((text) => text.trim() !== '')

export function encodeRequest(request: ChatRequest): Json {
  const { system, turns } = splitSystem(request.messages)
  const { tools, temperature } = request
  const stops = stopsOf(request)
  const { maxTokens, thinking, samples } = thinkingOf(request)
  const hasTools = tools !== undefined && tools.length > 0
  return compact({
    model: request.model,
    max_tokens: maxTokens,
    system: encodeSystem(system),
    messages: encodeMessages(turns),
    stream: request.stream ? true : undefined,
    stop_sequences: stops.length > 0 ? stops : undefined,
    temperature: temperature === undefined || !samples ? undefined : Math.min(Math.max(temperature, 0), 1),
    top_p: samples || (request.topP ?? 0) >= SMALLEST_THINKING_TOP_P ? request.topP : undefined,
    top_k: samples ? request.topK : undefined,
    tools: hasTools ? tools.map(encodeTool) : undefined,
    tool_choice: hasTools ? encodeToolChoice(request.toolChoice, request.parallelToolCalls) : undefined,
    thinking,
    output_config: encodeOutput(request),
    metadata: request.user === undefined ? undefined : { user_id: request.user },
  })
}
