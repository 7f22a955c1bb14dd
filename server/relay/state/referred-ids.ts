import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import { isItemReference } from '#server/relay/request/item-references.ts'
import { inFileAddress } from './file-addresses.ts'
import { foreign, inGoogleTools, prompts, skills, voices } from './foreign-ids.ts'
import type { Reference } from './reference.ts'
import type { StateKind } from './state.store.ts'

const none: readonly Reference[] = []

const reference = (kind: StateKind, id: unknown, param: string): Reference[] => {
  const text = textOf(id)
  return text ? [{ kind, id: text, param }] : []
}

/** Every object inside a value, itself included. Recursion is safe: the parser limits the depth of bodies. */
function objectsIn(value: unknown, found: JsonObject[] = []): JsonObject[] {
  if (Array.isArray(value)) for (const entry of value) objectsIn(entry, found)
  const object = objectOf(value)
  if (!object) return found
  found.push(object)
  for (const key in object) if (typeof object[key] === 'object') objectsIn(object[key], found)
  return found
}

/** Files and containers that code at a vendor worked with, as its answers name them. */
const isAnswered = ({ type }: JsonObject): boolean =>
  /^(container_file_citation|file_citation|file_path|code_interpreter_call|shell_call|\w*_output)$/.test(
    textOf(type) ?? '',
  )

const past = (references: readonly Reference[]): Reference[] =>
  references.map((each) => ({ ...each, isPast: true as const }))

const fileIds = (content: unknown, param: string): Reference[] =>
  objectsIn(content).flatMap((object) => {
    if (object.file_id === undefined && object.container_id === undefined) return none
    const files = reference('file', object.file_id, param)
    return [...(isAnswered(object) ? past(files) : files), ...past(reference('item', object.container_id, param))]
  })

/**
 * Containers in which code runs, and the files and skills in them, belong to a user. A vector store has an id that cannot be guessed
 * and is made by the operator at the vendor, who may give it out.
 */
function inTool(tool: JsonObject, param: string): Reference[] {
  const container = objectOf(tool.container) ?? objectOf(tool.environment) ?? {}
  return [
    ...reference('item', textOf(tool.container) ?? container.container_id, `${param}.container`),
    ...arrayOf(container.file_ids).flatMap((id) => reference('file', id, `${param}.container`)),
    ...skills(container.skills, `${param}.container`),
    ...reference('file', objectOf(tool.input_image_mask)?.file_id, `${param}.input_image_mask`),
    ...inTools(tool.tools, `${param}.tools`),
  ]
}

const inTools = (tools: unknown, param: string): Reference[] =>
  arrayOf(tools).flatMap((entry, at) => inTool(objectOf(entry) ?? {}, `${param}[${at}]`))

function inResponses({ previous_response_id, conversation, input, tools, prompt }: JsonBody): Reference[] {
  const items = arrayOf(input).map((item) => objectOf(item) ?? {})
  return [
    ...reference('response', previous_response_id, 'previous_response_id'),
    ...reference('conversation', objectOf(conversation)?.id ?? conversation, 'conversation'),
    ...items.flatMap((item, at) => (isItemReference(item) ? reference('item', item.id, `input[${at}]`) : [])),
    ...items.flatMap((item, at) => (item.type === 'additional_tools' ? inTools(item.tools, `input[${at}].tools`) : [])),
    ...fileIds(input, 'input'),
    ...inTools(tools, 'tools'),
    ...prompts(prompt),
  ]
}

/** Alibaba reads files that are named in an instruction. */
const filesInText = ({ role, content }: JsonObject, param: string): Reference[] =>
  role === 'system' && textOf(content)?.startsWith('fileid://') ? foreign('stored file', content, param) : []

/** Beside conversations these are all other bodies of OpenAI's shape. */
function inChat({ messages, audio, voice, cached_content, cachedContent, extra_body, google }: JsonBody): Reference[] {
  const said = arrayOf(messages).map((message) => objectOf(message) ?? {})
  const caches = objectsIn([{ cached_content, cachedContent }, extra_body, google]).flatMap((object) => [
    object.cached_content,
    object.cachedContent,
  ])
  return [
    ...caches.flatMap((name) => reference('cache', name, 'cached_content')),
    ...said.flatMap((message, at) => reference('item', objectOf(message.audio)?.id, `messages[${at}].audio`)),
    ...said.flatMap((message, at) => filesInText(message, `messages[${at}].content`)),
    ...fileIds(messages, 'messages'),
    ...voices(voice, 'voice'),
    ...voices(objectOf(audio)?.voice, 'audio.voice'),
  ]
}

function inMessages({ thread, messages, container }: JsonBody): Reference[] {
  const continued = objectOf(thread)
  return [
    ...(continued?.type === 'continue' ? reference('thread', continued.previous_message_id, 'thread') : []),
    ...reference('item', objectOf(container)?.id ?? container, 'container'),
    ...skills(objectOf(container)?.skills, 'container.skills'),
    ...fileIds(messages, 'messages'),
  ]
}

/** Where Google's bodies name files, each in two spellings. */
const addressFields = ['fileUri', 'file_uri', 'gcsUri', 'gcs_uri', 'storageUri', 'storage_uri'] as const

function inContents(body: JsonBody): Reference[] {
  const { contents, content, requests, systemInstruction, system_instruction, instances, parameters, tools } = body
  const places = [contents, content, requests, systemInstruction, system_instruction, instances, parameters]
  const addresses = objectsIn(places).flatMap((object) => addressFields.flatMap((field) => textOf(object[field]) ?? []))
  const caches = [body.cachedContent, body.cached_content]
  return [
    ...caches.flatMap((name) => reference('cache', name, 'cachedContent')),
    ...addresses.flatMap((address) => inFileAddress(address, 'contents')),
    ...inGoogleTools(tools),
  ]
}

const readers: Readonly<Record<string, (body: JsonBody) => Reference[]>> = {
  'openai-responses': inResponses,
  'openai-chat': inChat,
  'anthropic-messages': inMessages,
  gemini: inContents,
}

/**
 * A quick test: a body that refers to anything contains one of these words. Most bodies contain none and are not searched. `\u` is
 * among them because a word may be written with escapes.
 */
const words =
  /"(?:previous_response_id|conversation|item_reference|id|file_ids?|thread|container(?:_id)?|skills|prompt|retrieval|cached_?[cC]ontent|file_?[uU]ri|gcs_?[uU]ri|storage_?[uU]ri|file_?[sS]earch)"|"fileid:|\\u/

/** Whether a body may refer to anything by id. */
export const mayRefer = (text: string): boolean => words.test(text)

/** Everything a request refers to by id. */
export function referencesIn(dialect: string, text: string, body: JsonBody): Reference[] {
  return mayRefer(text) ? (readers[dialect]?.(body) ?? []) : []
}
