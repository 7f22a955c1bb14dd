import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import { type CollectedAnswer, collectAnswer } from '#server/dialects/collected-answer.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { createFrameReader } from '#server/dialects/framing.ts'
import { objectOf } from '#server/lib/json.ts'
import { providerOf } from '#server/providers/index.ts'
import type { Body, Target, Tools } from '#server/providers/provider.ts'

const tools: Tools = {
  fetch: (url, init) => fetch(url, init),
  now: Date.now,
  signal: new AbortController().signal,
  fetchBytes: async () => 'data:image/png;base64,iVBORw0KGgo=',
}

async function readFrames(response: Response, dialect: UpstreamDialect): Promise<ChatEvent[]> {
  const [reader, decoder] = [createFrameReader(dialect.framing), dialect.streamDecoder()]
  const events: ChatEvent[] = []
  for await (const chunk of response.body ?? [])
    events.push(...reader.push(chunk).flatMap((frame) => decoder.push(frame)))
  return [...events, ...reader.end().flatMap((frame) => decoder.push(frame)), ...decoder.end()]
}

async function exchange(target: Target, text: string, dialect: UpstreamDialect): Promise<ChatEvent[]> {
  const { url, headers } = await providerOf(target.type).call(target, text, tools)
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }
  const response = await fetch(url, init)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  if (!response.ok) return [{ type: 'fault', fault: dialect.decodeError(response.status, await response.json()) }]
  return target.stream && !isJson ? await readFrames(response, dialect) : dialect.decodeResponse(await response.json())
}

async function overSocket(target: Target, text: string, dialect: UpstreamDialect): Promise<ChatEvent[]> {
  const decoder = dialect.streamDecoder()
  const events: ChatEvent[] = []
  for await (const data of providerOf(target.type).socket?.(target, text, tools) ?? [])
    events.push(...decoder.push({ data }))
  return events
}

/** One conversation with a provider, without the relay: what it said, or what was wrong. */
export async function converse(
  target: Target,
  request: ChatRequest,
): Promise<CollectedAnswer & { readonly fault?: ChatFault }> {
  const provider = providerOf(target.type)
  const dialect = provider.dialect(target)
  const prepared = (await provider.prepare?.(request, target, tools)) ?? request
  const encoded = (objectOf(dialect.encodeRequest(prepared)) ?? {}) as Body
  const text = JSON.stringify(provider.adjust?.(encoded, target, tools) ?? encoded)
  const events = await (dialect.framing === 'websocket' ? overSocket : exchange)(target, text, dialect)
  const fault = events.find((event) => event.type === 'fault')?.fault
  return { ...collectAnswer(events), ...(fault ? { fault } : {}) }
}
