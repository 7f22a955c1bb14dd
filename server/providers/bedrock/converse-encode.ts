import { callId } from '#server/dialects/anthropic-messages/blocks.ts'
import {
  encodeEffort,
  stopsOf,
  thinkingOf,
  withoutTrailingBlanks,
} from '#server/dialects/anthropic-messages/request-encode.ts'
import type { AssistantPart, ChatRequest, Tool, UserPart } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { untag } from '#server/dialects/signature.ts'
import { objectSchema } from '#server/dialects/tools/object-schema.ts'
import { type Conversation, mergeTurns, splitSystem } from '#server/dialects/turns.ts'
import { compact, parseObject } from '#server/lib/json.ts'
import { parseDataUrl } from '#server/lib/network/data-url.ts'
import { words } from '#server/lib/words.ts'

type Block = { [key: string]: Json | undefined }

/** What Converse calls formats that have another name elsewhere. */
const formats = words<string>({
  jpg: 'jpeg',
  plain: 'txt',
  markdown: 'md',
  msword: 'doc',
  'vnd.ms-excel': 'xls',
  'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
})

/** Only bytes are taken; addresses have become `data:` URLs before this point. No two documents may have one name. */
function mediaOf(part: Exclude<UserPart, { type: 'text' }>, name: string): Block {
  if (part.type === 'audio') throw new BadRequest('Sound (audio) cannot be sent to this model')
  const data = parseDataUrl(part.url)
  if (!data) throw new BadRequest('A picture or file must be readable: its address led nowhere')
  const subtype = data.mediaType.split('/')[1] ?? ''
  const format = formats[subtype] ?? subtype
  const source = { bytes: data.base64 }
  if (part.type === 'image') return { image: { format, source } }
  return { document: { format, name, source } }
}

const contentOf = (parts: readonly UserPart[], turn: number): Block[] =>
  parts.flatMap((part, at) => {
    if (part.type !== 'text') return [mediaOf(part, `document-${turn}-${at}`)]
    return part.text.trim() === '' ? [] : [{ text: part.text }]
  })

function assistantBlock(part: AssistantPart): Block[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ text: part.text }]
    case 'tool-call':
      return [{ toolUse: { toolUseId: callId(part.id), name: part.name, input: parseObject(part.arguments) as Json } }]
    case 'reasoning': {
      const redactedContent = untag('anthropic-messages', part.redacted)
      if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }]
      const signature = untag('anthropic-messages', part.signature)
      return signature ? [{ reasoningContent: { reasoningText: { text: part.text, signature } } }] : []
    }
    default:
      return []
  }
}

type Turn = Conversation['turns'][number]

function blocksOf(turn: Turn, at: number): Block[] {
  if (turn.role === 'user') return contentOf(turn.parts, at)
  if (turn.role === 'assistant') return turn.parts.flatMap(assistantBlock)
  const content = contentOf(turn.parts, at)
  const toolResult = compact({
    toolUseId: callId(turn.callId),
    content: content.length > 0 ? content : [{ text: '(empty)' }],
    status: turn.isError ? 'error' : undefined,
  })
  return [{ toolResult }]
}

/** Converse wants the user to begin. */
function messagesOf(turns: readonly Turn[]): Json[] {
  const said = turns.map((turn, at) => ({
    role: turn.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    items: blocksOf(turn, at),
  }))
  const messages = mergeTurns(said).map(({ role, items }) => ({ role, content: items as Json[] }))
  return messages[0]?.role === 'assistant' ? [{ role: 'user', content: [{ text: '.' }] }, ...messages] : messages
}

const toolOf = ({ name, description, parameters }: Tool): Json => ({
  toolSpec: compact({
    name,
    description: description || undefined,
    inputSchema: { json: objectSchema(parameters) as Json },
  }),
})

function choiceOf(choice: ChatRequest['toolChoice']): Json | undefined {
  if (choice === 'required') return { any: {} }
  return typeof choice === 'object' ? { tool: { name: choice.name } } : undefined
}

/** Tools that were called must be named as long as the conversation shows their calls, whatever may be called now. */
function toolsOf({ tools = [], toolChoice }: ChatRequest, turns: readonly Turn[]): Json | undefined {
  const called = turns.flatMap((turn) =>
    turn.role === 'assistant' ? turn.parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])) : [],
  )
  if (called.length === 0 && (tools.length === 0 || toolChoice === 'none')) return undefined
  const known = new Set(tools.map(({ name }) => name))
  const gone = [...new Set(called)].filter((name) => !known.has(name)).map((name): Tool => ({ name }))
  return compact({ tools: [...tools, ...gone].map(toolOf), toolChoice: choiceOf(toolChoice) })
}

/** The hottest that Converse takes. */
const hottest = 1

/** `anthropic.claude-…`, also with the name of a region before it. */
export const isClaude = (model: string): boolean => /^(?:[a-z-]+\.)?anthropic\./.test(model)

/** Converse has no setting for thinking: Claude is sent its own. */
function claudesOwn(request: ChatRequest) {
  if (!isClaude(request.model)) return { own: undefined, samples: true, maxTokens: request.maxOutputTokens }
  const { thinking, samples, maxTokens } = thinkingOf(request)
  const effort = encodeEffort(request.reasoning?.effort)
  const own = compact({ thinking, output_config: effort && { effort } })
  const hasOwn = Object.keys(own).length > 0
  return { own: hasOwn ? own : undefined, samples, maxTokens: samples ? request.maxOutputTokens : maxTokens }
}

/** A conversation as Converse wants it; the model stands in the path. */
export function encodeConverse(request: ChatRequest): Json {
  const { system, turns } = splitSystem(request.messages)
  const instructions = system.filter(({ text }) => text.trim() !== '')
  const stops = isClaude(request.model) ? stopsOf(request) : [...(request.stop ?? [])]
  const { own, samples, maxTokens } = claudesOwn(request)
  const { temperature, topP } = samples ? request : {}
  const inference = compact({
    maxTokens,
    temperature: temperature === undefined ? undefined : Math.min(temperature, hottest),
    topP,
    stopSequences: stops.length > 0 ? stops : undefined,
  })
  return compact({
    messages: messagesOf(isClaude(request.model) ? withoutTrailingBlanks(turns) : turns),
    system: instructions.length > 0 ? instructions.map(({ text }) => ({ text })) : undefined,
    inferenceConfig: Object.keys(inference).length > 0 ? inference : undefined,
    toolConfig: toolsOf(request, turns),
    additionalModelRequestFields: own,
  }) as Json
}
