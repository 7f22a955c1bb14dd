import { objectOf, parseJson } from '#server/lib/json.ts'
import type { AssistantPart, Message, ToolCallPart, UserPart } from './chat.ts'

/** The text of a message for formats that take nothing else. */
export function plainText(parts: readonly (AssistantPart | UserPart)[], separator = '\n'): string {
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join(separator)
}

export function systemText(messages: readonly Message[]): string | undefined {
  const texts = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [plainText(message.parts)] : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

export function toolCalls(parts: readonly AssistantPart[]): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool-call')
}

/** Whether a call surely came to its end: an answer that reached its limit may stop in the middle of one, or before its arguments. */
export function isWholeCall({ arguments: text }: Pick<ToolCallPart, 'arguments'>): boolean {
  return objectOf(parseJson(text)) !== undefined
}

export function reasoningText(parts: readonly AssistantPart[]): string {
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
}

export function imageUrls(parts: readonly (AssistantPart | UserPart)[]): string[] {
  return parts.flatMap((part) => (part.type === 'image' ? [part.url] : []))
}

/** Names of the called tools by call id, for formats whose results refer to the name. */
export function namesOfCalls(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolCalls(message.parts) : []))
  return new Map(calls.map((call) => [call.id, call.name]))
}

/** An id for a call to which the provider gave none. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`
}
