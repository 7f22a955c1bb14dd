import { createHash } from 'node:crypto'
import type { AssistantPart, ChatEvent, ChatRequest, Message } from '#server/dialects/chat.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'

/** What every vendor takes as a tool's name. */
const everywhere = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const longestStem = 55

/** A name every vendor takes; the same name always becomes the same one, and no two become one. */
function safeName(name: string): string {
  if (everywhere.test(name)) return name
  const stem = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?![a-zA-Z_])/, '_')
  return `${stem.slice(0, longestStem)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}

function renamedPart(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' ? { ...part, name: safeName(part.name) } : part
}

function renamedMessage(message: Message): Message {
  if (message.role === 'assistant') return { ...message, parts: message.parts.map(renamedPart) }
  return message.role === 'tool' && message.name ? { ...message, name: safeName(message.name) } : message
}

function namesIn({ tools = [], messages, toolChoice }: ChatRequest): string[] {
  const called = messages.flatMap((message) => {
    if (message.role === 'tool') return message.name ? [message.name] : []
    if (message.role !== 'assistant') return []
    return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))
  })
  return [...tools.map((tool) => tool.name), ...called, ...(typeof toolChoice === 'object' ? [toolChoice.name] : [])]
}

/** The request with names every vendor takes, and the dialect that gives the client its own names back. */
export function withSafeNames(
  request: ChatRequest,
  upstream: UpstreamDialect,
): { readonly request: ChatRequest; readonly upstream: UpstreamDialect } {
  const unsafe = namesIn(request).filter((name) => !everywhere.test(name))
  if (unsafe.length === 0) return { request, upstream }
  const own = new Map(unsafe.map((name) => [safeName(name), name]))
  const { tools, toolChoice } = request
  return {
    request: {
      ...request,
      messages: request.messages.map(renamedMessage),
      ...(tools ? { tools: tools.map((tool) => ({ ...tool, name: safeName(tool.name) })) } : {}),
      ...(typeof toolChoice === 'object' ? { toolChoice: { name: safeName(toolChoice.name) } } : {}),
    },
    upstream: restoring(upstream, own),
  }
}

function restoring(upstream: UpstreamDialect, own: ReadonlyMap<string, string>): UpstreamDialect {
  const restored = (event: ChatEvent): ChatEvent =>
    event.type === 'tool-call-start' ? { ...event, name: own.get(event.name) ?? event.name } : event
  return {
    ...upstream,
    decodeResponse: (body) => upstream.decodeResponse(body).map(restored),
    streamDecoder() {
      const inner = upstream.streamDecoder()
      return { push: (frame) => inner.push(frame).map(restored), end: () => inner.end().map(restored) }
    },
  }
}
