import type { AssistantPart, ImagePart, Message, ReasoningPart, TextPart, UserPart } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { restoreCallSignatures } from '#server/dialects/signature.ts'
import { argumentsOfText } from '#server/dialects/tools/text-tool.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { dataUrl } from '#server/lib/network/data-url.ts'
import { proofFromClient } from './encrypted-content.ts'
import { joinedName } from './tools.ts'

/** What tools did that only OpenAI runs, and definitions read elsewhere: they say nothing to other models. */
const leftOutItems: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
])

function decodeImage(part: JsonObject, path: string): ImagePart {
  const url = textOf(part.image_url)
  if (!url) throw new BadRequest(`${path}.image_url is required: stored files cannot be sent to this model`, path)
  const { detail } = part
  return { type: 'image', url, ...(detail === 'auto' || detail === 'low' || detail === 'high' ? { detail } : {}) }
}

function decodeFile(part: JsonObject, path: string): UserPart {
  const data = textOf(part.file_data) || textOf(part.file_url)
  if (!data) {
    throw new BadRequest(`${path} needs file_data or file_url: stored files cannot be sent to this model`, path)
  }
  const url = /^(data|https?):/i.test(data) ? data : dataUrl('application/pdf', data)
  const filename = textOf(part.filename)
  return { type: 'file', url, ...(filename === undefined ? {} : { filename }) }
}

function decodePart(part: JsonObject, path: string): UserPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textOf(part.text) ?? '' }
    case 'input_image':
      return decodeImage(part, path)
    case 'input_file':
      return decodeFile(part, path)
    case 'input_audio': {
      const audio = objectOf(part.input_audio)
      return { type: 'audio', format: textOf(audio?.format) ?? 'wav', data: textOf(audio?.data) ?? '' }
    }
    default:
      throw new BadRequest(`${path}.type "${String(part.type)}" cannot be sent to this model`, path)
  }
}

function decodeParts(content: unknown, path: string): UserPart[] {
  const text = textOf(content)
  if (text !== undefined) return [{ type: 'text', text }]
  return arrayOf(content).map((part, index) => decodePart(objectOf(part) ?? {}, `${path}.content[${index}]`))
}

function decodeAssistantParts(content: unknown): AssistantPart[] {
  const text = textOf(content)
  if (text !== undefined) return [{ type: 'text', text }]
  return arrayOf(content).map((entry): AssistantPart => {
    const part = objectOf(entry)
    const refusal = part?.type === 'refusal' ? textOf(part.refusal) : undefined
    return refusal === undefined ? { type: 'text', text: textOf(part?.text) ?? '' } : { type: 'refusal', text: refusal }
  })
}

const textsOf = (list: unknown) => arrayOf(list).map((entry) => textOf(objectOf(entry)?.text) ?? '')

/** The words of a reasoning item: its own where it shows them, else their summary. */
export function reasoningWords(item: JsonObject): string {
  const own = textsOf(item.content).join('')
  return own === '' ? textsOf(item.summary).join('\n\n') : own
}

function decodeReasoning(item: JsonObject): ReasoningPart {
  const encrypted = textOf(item.encrypted_content)
  const proof = encrypted ? proofFromClient(textOf(item.id) ?? '', encrypted) : {}
  return { type: 'reasoning', text: reasoningWords(item), ...proof }
}

function decodeMessageItem(item: JsonObject, path: string): Message {
  switch (item.role) {
    case 'assistant':
      return { role: 'assistant', parts: decodeAssistantParts(item.content) }
    case 'user':
      return { role: 'user', parts: decodeParts(item.content, path) }
    case 'system':
    case 'developer':
      return {
        role: item.role,
        parts: decodeParts(item.content, path).filter((part): part is TextPart => part.type === 'text'),
      }
    default:
      throw new BadRequest(`${path}.role must be user, assistant, system or developer`, `${path}.role`)
  }
}

const calledName = (item: JsonObject) => joinedName(textOf(item.namespace), textOf(item.name) ?? '')

function decodeItem(item: JsonObject, path: string): Message {
  switch (item.type ?? 'message') {
    case 'message':
      return decodeMessageItem(item, path)
    case 'function_call': {
      const call = { id: textOf(item.call_id) ?? '', name: calledName(item) }
      return { role: 'assistant', parts: [{ type: 'tool-call', ...call, arguments: textOf(item.arguments) ?? '' }] }
    }
    case 'custom_tool_call': {
      const call = { id: textOf(item.call_id) ?? '', name: calledName(item) }
      const text = argumentsOfText(textOf(item.input) ?? '')
      return { role: 'assistant', parts: [{ type: 'tool-call', ...call, arguments: text }] }
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', callId: textOf(item.call_id) ?? '', parts: decodeParts(item.output, path) }
    case 'agent_message':
      return { role: 'user', parts: decodeParts(item.content, path) }
    case 'reasoning':
      return { role: 'assistant', parts: [decodeReasoning(item)] }
    case 'image_generation_call': {
      const picture = textOf(item.result)
      const parts: AssistantPart[] = picture ? [{ type: 'image', url: dataUrl('image/png', picture) }] : []
      return { role: 'assistant', parts }
    }
    case 'item_reference':
      throw new BadRequest(`${path} refers to a stored item: send the item itself to this model`, path)
    default:
      throw new BadRequest(`${path}.type "${String(item.type)}" cannot be sent to this model`, path)
  }
}

/** What the format lists item by item is one turn of the assistant: thoughts, words and calls that follow each other. */
export function decodeItems(items: readonly unknown[]): Message[] {
  const messages: Message[] = []
  let turn: AssistantPart[] | null = null
  for (const [index, entry] of items.entries()) {
    const item = objectOf(entry) ?? {}
    if (leftOutItems.has(item.type)) continue
    const message = decodeItem(item, `input[${index}]`)
    if (message.role !== 'assistant') {
      turn = null
      messages.push(message)
      continue
    }
    if (!turn) {
      turn = []
      messages.push({ ...message, parts: turn })
    }
    for (const part of message.parts) turn.push(part)
  }
  return messages.map((message) =>
    message.role === 'assistant' ? { ...message, parts: restoreCallSignatures(message.parts) } : message,
  )
}
