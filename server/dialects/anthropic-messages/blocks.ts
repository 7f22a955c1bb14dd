import { createHash } from 'node:crypto'
import { decodeCache, encodeCache } from '#server/dialects/cache-mark.ts'
import type { AssistantPart, FilePart, UserPart } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { fromClient, untag } from '#server/dialects/signature.ts'
import { arrayOf, type JsonObject, objectOf, parseObject, textOf } from '#server/lib/json.ts'
import { dataUrl, parseDataUrl } from '#server/lib/network/data-url.ts'

function sourceUrl(source: JsonObject, path: string): string {
  const url = source.type === 'url' ? textOf(source.url) : undefined
  const data = source.type === 'base64' ? textOf(source.data) : undefined
  if (data !== undefined) return dataUrl(textOf(source.media_type) ?? 'application/octet-stream', data)
  if (url === undefined) throw new BadRequest(`${path}.source must be base64 data or a url for this model`, path)
  return url
}

/** What a text is and where it is from, which other formats have no fields for. */
function heading(...words: unknown[]): UserPart[] {
  const said = words.flatMap((word) => textOf(word) || [])
  return said.length === 0 ? [] : [{ type: 'text', text: said.join('\n') }]
}

function decodeDocument(block: JsonObject, path: string): UserPart[] {
  const source = objectOf(block.source) ?? {}
  const { title, context } = block
  if (source.type === 'text')
    return [...heading(title, context), { type: 'text', text: textOf(source.data) ?? '', ...decodeCache(block) }]
  if (source.type === 'content')
    return [...heading(title, context), ...decodeUserBlocks(source.content, `${path}.source`)]
  const filename = textOf(title)
  const named = filename === undefined ? {} : { filename }
  return [...heading(context), { type: 'file', url: sourceUrl(source, path), ...named, ...decodeCache(block) }]
}

export function decodeUserBlock(block: JsonObject, path: string): UserPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: textOf(block.text) ?? '', ...decodeCache(block) }]
    case 'image':
      return [{ type: 'image', url: sourceUrl(objectOf(block.source) ?? {}, path), ...decodeCache(block) }]
    case 'document':
      return decodeDocument(block, path)
    case 'search_result':
      return [...heading(block.title, block.source), ...decodeUserBlocks(block.content, path)]
    case 'tool_reference':
      return [{ type: 'text', text: `Tool found: ${textOf(block.tool_name) ?? ''}`, ...decodeCache(block) }]
    default:
      throw new BadRequest(`${path}.type "${String(block.type)}" cannot be sent to this model`, path)
  }
}

/** Content of a user turn or of a tool's result: text or a list of blocks. */
export function decodeUserBlocks(content: unknown, path: string): UserPart[] {
  const text = textOf(content)
  if (text !== undefined) return [{ type: 'text', text }]
  return arrayOf(content).flatMap((entry, index) => decodeUserBlock(objectOf(entry) ?? {}, `${path}.content[${index}]`))
}

/** Blocks of Anthropic's own server tools say nothing to other models and are left out. */
export function decodeAssistantBlock(block: JsonObject): AssistantPart[] {
  switch (block.type) {
    // A summary in the place of turns that the client may not send any more.
    case 'compaction': {
      const text = textOf(block.content)
      return text ? [{ type: 'text', text, ...decodeCache(block) }] : []
    }
    case 'text':
      return [{ type: 'text', text: textOf(block.text) ?? '', ...decodeCache(block) }]
    case 'thinking': {
      const signature = textOf(block.signature)
      const proof = signature ? { signature: fromClient('anthropic-messages', signature) } : {}
      return [{ type: 'reasoning', text: textOf(block.thinking) ?? '', ...proof }]
    }
    case 'redacted_thinking': {
      const redacted = fromClient('anthropic-messages', textOf(block.data) ?? '')
      return [{ type: 'reasoning', text: '', redacted }]
    }
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          id: textOf(block.id) ?? '',
          name: textOf(block.name) ?? '',
          arguments: JSON.stringify(objectOf(block.input) ?? {}),
          ...decodeCache(block),
        },
      ]
    default:
      return []
  }
}

function encodeSource(url: string): Json {
  const inline = parseDataUrl(url)
  return inline ? { type: 'base64', media_type: inline.mediaType, data: inline.base64 } : { type: 'url', url }
}

function encodeFile(part: FilePart): Json {
  const inline = parseDataUrl(part.url)
  const source =
    inline?.mediaType.startsWith('text/') === true
      ? { type: 'text', media_type: 'text/plain', data: Buffer.from(inline.base64, 'base64').toString('utf8') }
      : encodeSource(part.url)
  const title = part.filename === undefined ? {} : { title: part.filename }
  return { type: 'document', source, ...title, ...encodeCache(part.cache) }
}

const isBlank = (text: string): boolean => text.trim() === ''

/** The API takes letters, digits, `_` and `-`; the same id always becomes the same one. */
export function callId(id: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(id)) return id
  return `${id.replace(/[^a-zA-Z0-9_-]/g, '_')}_${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

/** The API refuses blank texts. */
export function encodeUserPart(part: UserPart): Json[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...encodeCache(part.cache) }]
    case 'image':
      return [{ type: 'image', source: encodeSource(part.url), ...encodeCache(part.cache) }]
    case 'file':
      return [encodeFile(part)]
    case 'audio':
      throw new BadRequest('Sound (input_audio) cannot be sent to this model', 'messages')
  }
}

function encodeThinking(part: Extract<AssistantPart, { type: 'reasoning' }>): Json[] {
  const data = untag('anthropic-messages', part.redacted)
  if (data !== undefined) return [{ type: 'redacted_thinking', data }]
  const signature = untag('anthropic-messages', part.signature)
  return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }]
}

/** Reasoning without Anthropic's own signature would be refused and stays out. */
export function encodeAssistantPart(part: AssistantPart): Json[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...encodeCache(part.cache) }]
    case 'refusal':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning':
      return encodeThinking(part)
    case 'tool-call': {
      const input = parseObject(part.arguments) as Json
      return [{ type: 'tool_use', id: callId(part.id), name: part.name, input, ...encodeCache(part.cache) }]
    }
    case 'image':
      return []
  }
}
