import { charactersIn, encodeCitation } from '#server/dialects/beside-text/citations.ts'
import { encodeLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, Citation } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { announceItem, finishItem, newItem, type OpenMessage, type OpenPart, type Output } from './output.ts'

function partJson({ type, text, annotations, logprobs }: OpenPart): Json {
  if (type === 'refusal') return { type, refusal: text }
  return { type, text, annotations: [...annotations], logprobs: [...logprobs] }
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
  const { text, logprobs } = part
  if (part.type === 'refusal') output.emit('response.refusal.done', { ...where(message), refusal: text })
  else output.emit('response.output_text.done', { ...where(message), text, logprobs: [...logprobs] })
  const json = partJson(part)
  output.emit('response.content_part.done', { ...where(message), part: json })
  message.contents.push(json)
  message.part = undefined
}

function partOf(output: Output, message: OpenMessage, type: OpenPart['type']): OpenPart {
  if (message.part?.type === type) return message.part
  closePart(output, message)
  const part: OpenPart = { type, text: '', from: output.said, annotations: [], logprobs: [] }
  output.emit('response.content_part.added', { ...where(message), part: partJson(part) })
  message.part = part
  return part
}

export function openMessage(output: Output): OpenMessage {
  const message: OpenMessage = { ...newItem(output, 'msg_'), contents: [] }
  output.message = message
  announceItem(output, message, { ...messageJson(message, 'in_progress'), content: [] })
  return message
}

export function writeText(
  output: Output,
  message: OpenMessage,
  { text, logprobs }: Extract<ChatEvent, { type: 'text-delta' }>,
): void {
  const part = partOf(output, message, 'output_text')
  const tokens = encodeLogprobs(logprobs)
  part.text += text
  part.logprobs.push(...tokens)
  output.said += charactersIn(text)
  output.emit('response.output_text.delta', { ...where(message), delta: text, logprobs: tokens })
}

export function writeRefusal(output: Output, message: OpenMessage, text: string): void {
  partOf(output, message, 'refusal').text += text
  output.emit('response.refusal.delta', { ...where(message), delta: text })
}

export function writeCitation(output: Output, message: OpenMessage, citation: Citation): void {
  const part = partOf(output, message, 'output_text')
  const annotation = encodeCitation(citation, part.from)
  const at = { ...where(message), annotation_index: part.annotations.length }
  part.annotations.push(annotation)
  output.emit('response.output_text.annotation.added', { ...at, annotation })
}

export function closeMessage(output: Output): void {
  const { message } = output
  if (!message) return
  closePart(output, message)
  finishItem(output, message, messageJson(message, output.ending))
  output.message = undefined
}
