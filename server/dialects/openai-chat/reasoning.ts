import type { AssistantPart, ReasoningPart } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { fromClient, toClient } from '#server/dialects/signature.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'

/**
 * OpenAI's chat format has no place for reasoning. Vendors put its text into `reasoning_content` (or `reasoning`) and what must
 * come back with the next turn into `reasoning_details`.
 */
export function reasoningTextOf(message: JsonObject): string {
  return textOf(message.reasoning_content) ?? textOf(message.reasoning) ?? ''
}

export interface ReasoningDetail {
  readonly text: string
  readonly signature?: string
  readonly redacted?: string
}

/**
 * The entries of `reasoning_details`, their proofs still as written. One whose proof was `seen` before is left out: some clients
 * join what each piece of a stream repeats.
 */
export function reasoningDetailsOf(message: JsonObject, seen: Set<string> = new Set()): ReasoningDetail[] {
  return arrayOf(message.reasoning_details).flatMap((entry): ReasoningDetail[] => {
    const detail = objectOf(entry)
    if (!detail) return []
    const proof = textOf(detail.signature) || textOf(detail.data)
    if (proof && seen.has(proof)) return []
    if (proof) seen.add(proof)
    const text = textOf(detail.text) ?? textOf(detail.summary) ?? ''
    return [
      compact({ text, signature: textOf(detail.signature) || undefined, redacted: textOf(detail.data) || undefined }),
    ]
  })
}

export function encodeReasoningDetail(part: ReasoningPart, index: number): Json {
  if (part.redacted !== undefined) {
    return { type: 'reasoning.encrypted', data: toClient('openai-chat', part.redacted), index }
  }
  const proof = part.signature === undefined ? {} : { signature: toClient('openai-chat', part.signature) }
  return { type: 'reasoning.text', text: part.text, ...proof, index }
}

/** Fields of an assistant message that carry its reasoning. */
export function encodeReasoning(parts: readonly AssistantPart[]): { [key: string]: Json } {
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const text = reasoning.map((part) => part.text).join('')
  const isProven = reasoning.some((part) => part.signature !== undefined || part.redacted !== undefined)
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(isProven ? { reasoning_details: reasoning.map(encodeReasoningDetail) } : {}),
  }
}

/** The reasoning of an assistant message a client gives back. */
export function decodeReasoning(message: JsonObject): ReasoningPart[] {
  const text = reasoningTextOf(message)
  const details = reasoningDetailsOf(message)
  if (details.length === 0) return text === '' ? [] : [{ type: 'reasoning', text }]
  const hasText = details.some((detail) => detail.text !== '')
  return details.map((detail, index) => ({
    type: 'reasoning',
    text: hasText || index > 0 ? detail.text : text,
    ...(detail.signature === undefined ? {} : { signature: fromClient('openai-chat', detail.signature) }),
    ...(detail.redacted === undefined ? {} : { redacted: fromClient('openai-chat', detail.redacted) }),
  }))
}
