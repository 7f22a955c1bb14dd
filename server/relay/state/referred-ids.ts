import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import type { StateKind } from './state.store.ts'

/** Something kept elsewhere that a request speaks of by its id. */
export interface Reference {
  readonly kind: StateKind
  readonly id: string
  readonly param: string
}

const reference = (kind: StateKind, id: unknown, param: string): Reference[] => {
  const text = textOf(id)
  return text ? [{ kind, id: text, param }] : []
}

/** Every object inside a value, itself included; a body is at most as deep as its parser allows. */
function* objectsIn(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const entry of value) yield* objectsIn(entry)
  const object = objectOf(value)
  if (!object) return
  yield object
  for (const key in object) if (typeof object[key] === 'object') yield* objectsIn(object[key])
}

const fileIds = (content: unknown, param: string): Reference[] =>
  [...objectsIn(content)].flatMap((object) => reference('file', object.file_id, param))

/** Reasoning without a proof is known to OpenAI by its id alone. */
export const isBareReasoning = (item: JsonObject): boolean =>
  item.type === 'reasoning' && !item.encrypted_content && typeof item.id === 'string'

/** The type may be left out: an id and nothing said is a reference too. */
export const isItemReference = (item: JsonObject): boolean =>
  item.type === 'item_reference' ||
  (!item.type && typeof item.id === 'string' && item.role === undefined && item.content === undefined)

/** Rooms in which code ran, and the files put there, are somebody's. */
const inTools = (tools: unknown): Reference[] =>
  arrayOf(tools).flatMap((entry, at) => {
    const { container } = objectOf(entry) ?? {}
    const files = arrayOf(objectOf(container)?.file_ids)
    return [
      ...reference('item', container, `tools[${at}].container`),
      ...files.flatMap((id) => reference('file', id, `tools[${at}].container`)),
    ]
  })

function inResponses({ previous_response_id, conversation, input, tools }: JsonBody): Reference[] {
  const items = arrayOf(input).map((item) => objectOf(item) ?? {})
  return [
    ...reference('response', previous_response_id, 'previous_response_id'),
    ...reference('conversation', objectOf(conversation)?.id ?? conversation, 'conversation'),
    ...items.flatMap((item, at) => (isItemReference(item) ? reference('item', item.id, `input[${at}]`) : [])),
    ...fileIds(input, 'input'),
    ...inTools(tools),
  ]
}

function inMessages({ thread, messages, container }: JsonBody): Reference[] {
  const continued = objectOf(thread)
  return [
    ...(continued?.type === 'continue' ? reference('thread', continued.previous_message_id, 'thread') : []),
    ...reference('item', objectOf(container)?.id ?? container, 'container'),
    ...fileIds(messages, 'messages'),
  ]
}

const googleHost = 'generativelanguage.googleapis.com'

/**
 * The name of a file Google keeps, in an address of Google's or of the relay; undefined for any other address, which is the client's
 * own business. Whatever else is asked of Google there is nobody's file.
 */
export function geminiFileOf(address: string): string | undefined {
  if (/^files\/[\w-]+$/.test(address)) return address
  const url = URL.canParse(address) ? new URL(address) : null
  const [, name] = /\/v1(?:beta|alpha)\/(files\/[\w-]+)$/.exec(url?.pathname ?? '') ?? []
  return name ?? (url?.hostname === googleHost ? url.pathname.slice(1) : undefined)
}

function inContents(body: JsonBody): Reference[] {
  const { contents, systemInstruction, system_instruction } = body
  const files = [...objectsIn([contents, systemInstruction, system_instruction])].flatMap(({ fileUri, file_uri }) =>
    [textOf(fileUri), textOf(file_uri)].flatMap((address) =>
      reference('gemini-file', address && geminiFileOf(address), 'contents'),
    ),
  )
  const caches = [body.cachedContent, body.cached_content]
  return [...caches.flatMap((name) => reference('cache', name, 'cachedContent')), ...files]
}

const readers: Readonly<Record<string, (body: JsonBody) => Reference[]>> = {
  'openai-responses': inResponses,
  'openai-chat': ({ messages }) => fileIds(messages, 'messages'),
  'anthropic-messages': inMessages,
  gemini: inContents,
}

/**
 * Words at least one of which a body holds when it refers to anything; most hold none and are not walked through. Any of them may
 * be written with escapes.
 */
const words =
  /"(?:previous_response_id|conversation|item_reference|id|file_id|thread|container|cached_?[cC]ontent|file_?[uU]ri)"|\\u/

/** All that a request speaks of by id. */
export function referencesIn(dialect: string, text: string, body: JsonBody): Reference[] {
  return words.test(text) ? (readers[dialect]?.(body) ?? []) : []
}
