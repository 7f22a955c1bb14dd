import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest } from '#server/dialects/chat.ts'
import type { Dialect } from '#server/dialects/dialect.ts'
import { createFrameWriter } from '#server/dialects/framing.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { objectOf, parseObject } from '#server/lib/json.ts'

export type Kind = 'openai' | 'anthropic' | 'gemini' | 'chat-only'

/** A vendor on this machine: does what the user's words say, and refuses what the real one would refuse. */
export interface ScriptedUpstream {
  readonly url: string
  stop(): void
}

interface Wish {
  readonly name: string
  readonly arguments: string
}

/** `CALL name {json}`, one on a line, in anything the user said. */
function wishesIn(request: ChatRequest): Wish[] {
  const said = request.messages.flatMap((message) =>
    message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
  return [...said.join('\n').matchAll(/CALL ([\w.-]+) (\{.*?\})(?=\s|"|$)/g)].map(([, name = '', text = '']) => ({
    name,
    arguments: text.replaceAll('\\"', '"'),
  }))
}

const partsIn = (request: ChatRequest) =>
  request.messages.flatMap((message) => (message.role === 'user' || message.role === 'tool' ? [...message.parts] : []))

let made = 0

/** Calls the wanted tools until there are results, then answers with what it has seen. */
function replyTo(request: ChatRequest): ChatEvent[] {
  const start: ChatEvent = { type: 'start', id: `scripted${made++}`, model: request.model, created: 1_700_000_000 }
  const usage: ChatEvent = { type: 'usage', usage: { input: 11, output: 7 } }
  const wishes = wishesIn(request).filter(({ name }) => toolNamed(request, name))
  const results = request.messages.filter(({ role }) => role === 'tool').length
  if (results < wishes.length) {
    const calls = wishes.slice(results).flatMap((wish, index): ChatEvent[] => [
      { type: 'tool-call-start', index, id: `call_${made++}`, name: toolNamed(request, wish.name) ?? wish.name },
      { type: 'tool-call-delta', index, arguments: wish.arguments },
    ])
    return [start, ...calls, { type: 'finish', reason: 'tool-calls' }, usage]
  }
  const parts = partsIn(request)
  const turns = request.messages.filter(({ role }) => role === 'assistant').length
  const seen = `results:${results} image:${parts.filter(({ type }) => type === 'image').length} pdf:${parts.filter(({ type }) => type === 'file').length} turns:${turns}`
  return [start, { type: 'text-delta', text: `SEEN ${seen}` }, { type: 'finish', reason: 'stop' }, usage]
}

/** The tool as the channel was given it: its own name, or the one its namespace was joined to. */
const toolNamed = ({ tools = [] }: ChatRequest, name: string): string | undefined =>
  tools.find((tool) => tool.name === name || tool.name.endsWith(`__${name}`))?.name

/** What the real vendors refuse, so that a client that works here works there. */
function complaint(kind: Kind, request: ChatRequest, body: unknown): string | undefined {
  const names = request.tools?.map(({ name }) => name) ?? []
  if (kind !== 'gemini' && names.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)))
    return 'a tool name is not allowed'
  if (new Set(names).size < names.length) return 'tool names must be unique'
  if (kind !== 'anthropic') return undefined
  const [first] = request.messages.filter(({ role }) => role !== 'system')
  if (first?.role !== 'user') return 'the first message must be of the user'
  const ids = request.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
  if (ids.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id))) return 'a tool id is not allowed'
  return JSON.stringify(body).includes('"text":""') ? 'text must not be empty' : undefined
}

interface Asked {
  readonly dialect: Dialect
  readonly stream?: boolean
  readonly model?: string
}

function askedAt(kind: Kind, path: string): Asked | undefined {
  const [, model, action] = /\/models\/(.+):(\w+)$/.exec(path) ?? []
  if (kind === 'gemini' && model !== undefined)
    return { dialect: gemini, model, stream: action === 'streamGenerateContent' }
  if (kind === 'anthropic' && path.endsWith('/messages')) return { dialect: anthropicMessages }
  if (kind === 'openai' && path.endsWith('/responses')) return { dialect: openaiResponses }
  return path.endsWith('/chat/completions') && (kind === 'openai' || kind === 'chat-only')
    ? { dialect: openaiChat }
    : undefined
}

/** Only OpenAI itself knows the state of a response: what was said before is kept here. */
const received = new Map<string, unknown[]>()

function withHistory(body: Record<string, unknown>): Record<string, unknown> {
  const { previous_response_id: id, input, ...rest } = body
  const own = typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : []
  return {
    ...rest,
    input: [...(received.get(String(id)) ?? []), ...own].filter((item) => objectOf(item)?.type !== 'item_reference'),
  }
}

/** Anthropic keeps the turns of a thread, and the tools it began with. */
const threads = new Map<string, Record<string, unknown>>()

function withThread(body: Record<string, unknown>): Record<string, unknown> {
  const { thread, messages, ...rest } = body
  const before = threads.get(String(objectOf(thread)?.previous_message_id)) ?? {}
  const said = Array.isArray(before.messages) ? before.messages : []
  return { ...before, ...rest, messages: [...said, ...(Array.isArray(messages) ? messages : [])] }
}

async function answer(kind: Kind, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const asked = askedAt(kind, pathname)
  if (!asked) return Response.json({ error: { message: 'not found' } }, { status: 404 })
  const sent = parseObject(await request.text())
  const body =
    asked.dialect === openaiResponses
      ? withHistory(sent)
      : asked.dialect === anthropicMessages
        ? withThread(sent)
        : sent
  const { dialect } = asked
  try {
    const chat = dialect.decodeRequest({
      ...body,
      ...(asked.model ? { model: asked.model, stream: asked.stream } : {}),
    })
    const wrong = complaint(kind, chat, sent)
    if (wrong)
      return Response.json(dialect.encodeError({ status: 400, type: 'invalid_request_error', message: wrong }, ''), {
        status: 400,
      })
    const events = replyTo(chat)
    if (dialect === openaiResponses) {
      const response = objectOf(dialect.encodeResponse(events, chat)) ?? {}
      received.set(String(response.id), [...(body.input as unknown[]), ...(response.output as unknown[])])
    }
    if (sent.thread) {
      const message = objectOf(dialect.encodeResponse(events, chat)) ?? {}
      const { id, role, content } = message
      threads.set(String(id), { ...body, messages: [...(body.messages as unknown[]), { role, content }] })
    }
    if (!chat.stream) return Response.json(dialect.encodeResponse(events, chat))
    const writer = createFrameWriter('sse')
    const encoder = dialect.streamEncoder(chat)
    const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()]
    const text = frames.map((frame) => writer.write(frame)).join('') + writer.end()
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return Response.json(dialect.encodeError({ status: 400, type: 'invalid_request_error', message }, ''), {
      status: 400,
    })
  }
}

export function startUpstream(kind: Kind): ScriptedUpstream {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => answer(kind, request),
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) }
}
