import type { CountableMessage } from '#server/billing/counting/chat-tokens.ts'
import type { ChatRequest, Message } from '#server/dialects/chat.ts'

/** A conversation as far as counting goes: its texts, its pictures, its tools and the form wanted of the answer. */
export function countableOf({ messages, tools = [], responseFormat }: ChatRequest): CountableMessage[] {
  const definitions = tools.map((tool) =>
    JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters }),
  )
  if (responseFormat?.type === 'json-schema') definitions.push(JSON.stringify(responseFormat.schema))
  const counted = messages.map((message) => ({
    ...contents(message),
    ...('name' in message && message.name ? { name: message.name } : {}),
  }))
  return definitions.length > 0 ? [...counted, { texts: definitions }] : counted
}

function contents(message: Message): CountableMessage {
  const texts: string[] = []
  const images: { detail?: 'auto' | 'low' | 'high' }[] = []
  for (const part of message.parts) {
    if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') texts.push(part.text)
    else if (part.type === 'tool-call') texts.push(part.name, part.arguments)
    else if (part.type === 'image') images.push(part.detail ? { detail: part.detail } : {})
    else images.push({})
  }
  return { texts, images }
}
