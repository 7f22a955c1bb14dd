import type { ChatEvent } from '#server/dialects/chat.ts'
import { choiceField } from '#server/dialects/collected-answer.ts'
import { compact, type JsonObject, textOf } from '#server/lib/json.ts'
import { dataUrl } from '#server/lib/network/data-url.ts'
import { field, objectField } from './either-case.ts'
import { standardBase64 } from './media.ts'

export interface PartReader {
  /** What a signature proves, marked with its origin. */
  proof(signature: string): ChatEvent
  /** Id for a call that came without one. */
  callId(name: string): string
}

function callEvents(call: JsonObject, index: number, part: JsonObject, reader: PartReader): ChatEvent[] {
  const name = textOf(call.name) ?? ''
  const signature = textOf(field(part, 'thoughtSignature'))
  const id = textOf(call.id) || reader.callId(name)
  return [
    compact({ type: 'tool-call-start' as const, index, id, name, signature }),
    { type: 'tool-call-delta', index, arguments: JSON.stringify(call.args ?? {}) },
  ]
}

function imageEvents(part: JsonObject): ChatEvent[] {
  const inline = objectField(part, 'inlineData')
  const mediaType = textOf(field(inline, 'mimeType'))
  const data = standardBase64(textOf(inline?.data))
  if (!mediaType?.startsWith('image/') || data === undefined) return []
  return [{ type: 'image', url: dataUrl(mediaType, data) }]
}

/** What a part of the model's turn says. `calls` is how many calls the turn has made so far. */
export function partEvents(part: JsonObject, calls: number, choice: number, reader: PartReader): ChatEvent[] {
  const call = objectField(part, 'functionCall')
  const at = choiceField(choice)
  if (call) return callEvents(call, calls, part, reader).map((event) => ({ ...event, ...at }))
  const text = textOf(part.text)
  const signature = textOf(field(part, 'thoughtSignature'))
  const type = part.thought === true ? ('reasoning-delta' as const) : ('text-delta' as const)
  const events: ChatEvent[] = text ? [{ type, text }] : imageEvents(part)
  if (signature) events.push(reader.proof(signature))
  return events.map((event) => ({ ...event, ...at }))
}
