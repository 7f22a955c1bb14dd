import type { AssistantPart, ChatRequest, Message, Tool, UserPart } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { plainText } from '#server/dialects/prompt-parts.ts'
import { untag } from '#server/dialects/signature.ts'
import { compact, parseObject } from '#server/lib/json.ts'
import { parseDataUrl } from '#server/lib/network/data-url.ts'

type Block = { [key: string]: Json | undefined }

/** Only bytes are taken; addresses have become `data:` URLs before this point. */
function mediaOf(part: Exclude<UserPart, { type: 'text' }>): Block {
  if (part.type === 'audio') throw new BadRequest('Sound (audio) cannot be sent to this model')
  const data = parseDataUrl(part.url)
  if (!data) throw new BadRequest('A picture or file must be readable: its address led nowhere')
  const format = (data.mediaType.split('/')[1] ?? '').replace('jpg', 'jpeg')
  const source = { bytes: data.base64 }
  if (part.type === 'image') return { image: { format, source } }
  return { document: { format, name: 'document', source } }
}

const contentOf = (parts: readonly UserPart[]): Block[] =>
  parts.flatMap((part) => {
    if (part.type !== 'text') return [mediaOf(part)]
    return part.text.trim() === '' ? [] : [{ text: part.text }]
  })

function assistantBlock(part: AssistantPart): Block[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ text: part.text }]
    case 'tool-call':
      return [{ toolUse: { toolUseId: part.id, name: part.name, input: parseObject(part.arguments) as Json } }]
    case 'reasoning': {
      const signature = untag('anthropic-messages', part.signature)
      return signature ? [{ reasoningContent: { reasoningText: { text: part.text, signature } } }] : []
    }
    default:
      return []
  }
}

function turnOf(message: Message): { role: 'user' | 'assistant'; content: Block[] } | null {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: contentOf(message.parts) }
    case 'assistant':
      return { role: 'assistant', content: message.parts.flatMap(assistantBlock) }
    case 'tool': {
      const content = contentOf(message.parts)
      const toolResult = compact({
        toolUseId: message.callId,
        content: content.length > 0 ? content : [{ text: '(empty)' }],
        status: message.isError ? 'error' : undefined,
      })
      return { role: 'user', content: [{ toolResult }] }
    }
    default:
      return null
  }
}

/** Turns alternate: neighbours of one role become one. */
function turnsOf(messages: readonly Message[]): Json[] {
  const turns: { role: string; content: Block[] }[] = []
  for (const message of messages) {
    const turn = turnOf(message)
    if (!turn || turn.content.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === turn.role) for (const block of turn.content) last.content.push(block)
    else turns.push(turn)
  }
  return turns as Json[]
}

const toolOf = ({ name, description, parameters }: Tool): Json => ({
  toolSpec: compact({
    name,
    description: description || undefined,
    inputSchema: { json: (parameters ?? { type: 'object', properties: {} }) as Json },
  }),
})

function choiceOf(choice: ChatRequest['toolChoice']): Json | undefined {
  if (choice === 'required') return { any: {} }
  return typeof choice === 'object' ? { tool: { name: choice.name } } : undefined
}

/** A conversation as Converse wants it; the model stands in the path. */
export function encodeConverse(request: ChatRequest): Json {
  const system = request.messages.flatMap((message) => {
    const text = message.role === 'system' || message.role === 'developer' ? plainText(message.parts) : ''
    return text === '' ? [] : [{ text }]
  })
  const usable = request.tools?.length && request.toolChoice !== 'none' ? request.tools : undefined
  const inference = compact({
    maxTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    stopSequences: request.stop?.length ? [...request.stop] : undefined,
  })
  return compact({
    messages: turnsOf(request.messages),
    system: system.length > 0 ? system : undefined,
    inferenceConfig: Object.keys(inference).length > 0 ? inference : undefined,
    toolConfig: usable && compact({ tools: usable.map(toolOf), toolChoice: choiceOf(request.toolChoice) }),
  }) as Json
}
