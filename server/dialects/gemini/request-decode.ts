import { z } from 'zod'
import type { ChatEvent, ChatRequest, Message, TextPart, UserPart } from '#server/dialects/chat.ts'
import { collectAnswer } from '#server/dialects/collected-answer.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { anyObject, maybe, parseBody } from '#server/dialects/parse-body.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { field, objectField } from './either-case.ts'
import { decodeMedia } from './media.ts'
import { type PartReader, partEvents } from './part-events.ts'
import { decodeSettings } from './settings-decode.ts'
import { proofFromClient } from './thought-signature.ts'
import { decodeAllowed, decodeToolChoice, decodeTools } from './tools.ts'

const schema = z.looseObject({
  model: z.string(),
  stream: maybe(z.boolean()),
  contents: z.array(anyObject),
})

/** Pairs results with calls: by id where the client keeps them, else first come first served among calls of one name. */
function createCallIds() {
  const waiting = new Map<string, { readonly ids: string[]; readonly taken: Set<string>; next: number }>()
  let made = 0
  return {
    remember(name: string, id: string): void {
      const calls = waiting.get(name) ?? { ids: [], taken: new Set(), next: 0 }
      calls.ids.push(id)
      calls.taken.delete(id)
      waiting.set(name, calls)
    },
    create: () => `call_${made++}`,
    take(name: string, id: string | undefined): string {
      const calls = waiting.get(name)
      while (calls && calls.next < calls.ids.length && calls.taken.has(calls.ids[calls.next] ?? '')) calls.next += 1
      const found = id ?? calls?.ids[calls.next] ?? `call_${made++}`
      calls?.taken.add(found)
      return found
    },
  }
}

type CallIds = ReturnType<typeof createCallIds>

function decodeModel(parts: readonly JsonObject[], ids: CallIds): Message {
  const reader: PartReader = { proof: proofFromClient, callId: ids.create }
  const events: ChatEvent[] = []
  let calls = 0
  for (const part of parts) {
    for (const event of partEvents(part, calls, 0, reader)) {
      events.push(event)
      if (event.type !== 'tool-call-start') continue
      calls++
      ids.remember(event.name, event.id)
    }
  }
  return { role: 'assistant', parts: collectAnswer(events).choices[0]?.parts ?? [] }
}

function decodeResult(result: JsonObject, ids: CallIds, path: string): Message {
  const name = textOf(result.name) ?? ''
  const response = objectOf(result.response) ?? {}
  const keys = Object.keys(response)
  const only = keys.length === 1 ? keys[0] : undefined
  const value = only === 'output' || only === 'result' || only === 'error' ? response[only] : response
  const text = textOf(value) ?? JSON.stringify(value)
  const callId = ids.take(name, textOf(result.id) || undefined)
  const isError = only === 'error' ? { isError: true } : {}
  const media = arrayOf(result.parts).flatMap((part) => decodeMedia(objectOf(part) ?? {}, path) ?? [])
  return { role: 'tool', callId, name, parts: [{ type: 'text', text }, ...media], ...isError }
}

function decodeUser(parts: readonly JsonObject[], path: string, ids: CallIds): Message[] {
  const results: Message[] = []
  const own: UserPart[] = []
  parts.forEach((part, index) => {
    const at = `${path}.parts[${index}]`
    const result = objectField(part, 'functionResponse')
    const text = textOf(part.text)
    const media = decodeMedia(part, at)
    if (result) results.push(decodeResult(result, ids, at))
    else if (text !== undefined) own.push({ type: 'text', text })
    else if (media) own.push(media)
    else throw new BadRequest(`${at} holds nothing that can be sent to this model`, at)
  })
  return own.length === 0 && results.length > 0 ? results : [...results, { role: 'user', parts: own }]
}

function decodeContents(contents: readonly JsonObject[]): Message[] {
  const ids = createCallIds()
  return contents.flatMap((content, index) => {
    const path = `contents[${index}]`
    const parts = arrayOf(content.parts).map((part) => objectOf(part) ?? {})
    if (content.role !== 'model') return decodeUser(parts, path, ids)
    const turn = decodeModel(parts, ids)
    return turn.parts.length === 0 ? [] : [turn]
  })
}

function decodeSystem(body: JsonObject): Message[] {
  const instruction = body.systemInstruction ?? body.system_instruction
  const text = textOf(instruction)
  if (text !== undefined) return [{ role: 'system', parts: [{ type: 'text', text }] }]
  const parts = arrayOf(objectOf(instruction)?.parts).map((part): TextPart => {
    return { type: 'text', text: textOf(objectOf(part)?.text) ?? '' }
  })
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

const instruction = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] })

const mentionsJson = (message: Message): boolean =>
  message.parts.some((part) => part.type === 'text' && /json/i.test(part.text))

/** Forms that elsewhere are none, or have to be spoken of: one of several words, and JSON of any kind. */
function formInWords(body: JsonObject, messages: readonly Message[]): Message[] {
  const config = objectField(body, 'generationConfig')
  const schema = objectField(config, 'responseSchema') ?? objectField(config, 'responseJsonSchema')
  const type = field(config, 'responseMimeType')
  const words = arrayOf(schema?.enum)
  if (type === 'text/x.enum' && words.length > 0)
    return [instruction(`Answer with one of these and nothing else: ${words.join(', ')}`)]
  const isSaid = type !== 'application/json' || schema || messages.some(mentionsJson)
  return isSaid ? [] : [instruction('Answer with JSON and nothing else.')]
}

/**
 * Reads a body of `generateContent`. The format names the model and whether to stream in the path, so whoever took the request
 * puts both into the body first, as `model` and `stream`.
 */
export function decodeRequest(raw: unknown): ChatRequest {
  const body = parseBody(schema, raw)
  if (body.contents.length === 0) throw new BadRequest('contents must hold at least one message', 'contents')
  if (body.cachedContent || body.cached_content) {
    throw new BadRequest('cachedContent is kept by Google only and cannot be used with this model', 'cachedContent')
  }
  const messages = [...decodeSystem(body), ...decodeContents(body.contents)]
  return compact<ChatRequest>({
    model: body.model,
    messages: [...formInWords(body, messages), ...messages],
    stream: body.stream ?? false,
    includeUsage: true,
    ...decodeSettings(objectField(body, 'generationConfig')),
    ...decodeTools(body.tools),
    toolChoice: decodeToolChoice(objectField(body, 'toolConfig')),
    ...decodeAllowed(objectField(body, 'toolConfig')),
  })
}
