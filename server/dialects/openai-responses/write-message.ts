import type { Json } from '#server/dialects/dialect.ts'
import { announceItem, finishItem, newItem, type OpenMessage, type Output } from './output.ts'

type PartType = NonNullable<OpenMessage['part']>['type']

function partJson(type: PartType, text: string): Json {
  return type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [], logprobs: [] }
}

function messageJson(message: OpenMessage, status: string) {
  return { type: 'message', id: message.id, status, role: 'assistant', content: message.contents }
}

function where(message: OpenMessage) {
  return { item_id: message.id, output_index: message.at, content_index: message.contents.length }
}

function closePart(output: Output, message: OpenMessage): void {
  const { part } = message
  if (!part) return
  if (part.type === 'refusal') output.emit('response.refusal.done', { ...where(message), refusal: part.text })
  else output.emit('response.output_text.done', { ...where(message), text: part.text, logprobs: [] })
  const json = partJson(part.type, part.text)
  output.emit('response.content_part.done', { ...where(message), part: json })
  message.contents.push(json)
  message.part = undefined
}

export function openMessage(output: Output): OpenMessage {
  const message: OpenMessage = { ...newItem(output, 'msg_'), contents: [] }
  output.message = message
  announceItem(output, message, { ...messageJson(message, 'in_progress'), content: [] })
  return message
}

export function writeText(output: Output, message: OpenMessage, type: PartType, text: string): void {
  if (message.part?.type !== type) {
    closePart(output, message)
    output.emit('response.content_part.added', { ...where(message), part: partJson(type, '') })
    message.part = { type, text: '' }
  }
  message.part.text += text
  if (type === 'refusal') output.emit('response.refusal.delta', { ...where(message), delta: text })
  else output.emit('response.output_text.delta', { ...where(message), delta: text, logprobs: [] })
}

export function closeMessage(output: Output): void {
  const { message } = output
  if (!message) return
  closePart(output, message)
  finishItem(output, message, messageJson(message, 'completed'))
  output.message = undefined
}
