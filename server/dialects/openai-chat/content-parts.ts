import { decodeCache, encodeCache } from '#server/dialects/cache-mark.ts'
import type { CacheMark, FilePart, ImagePart, TextPart, UserPart } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { dataUrl, isPdfUrl, parseDataUrl } from '#server/lib/network/data-url.ts'
import { fileName } from './file-name.ts'

function decodeImage(part: JsonObject, path: string): ImagePart | FilePart {
  const image = objectOf(part.image_url)
  const url = textOf(image?.url) ?? textOf(part.image_url)
  if (!url) throw new BadRequest(`${path}.image_url.url is required and must be a string`, path)
  // Some clients send every kind of file in the place of a picture.
  if (isPdfUrl(url)) return { type: 'file', url, ...decodeCache(part) }
  const detail = image?.detail
  return {
    type: 'image',
    url,
    ...(detail === 'auto' || detail === 'low' || detail === 'high' ? { detail } : {}),
    ...decodeCache(part),
  }
}

function decodeFile(part: JsonObject, path: string): UserPart {
  const file = objectOf(part.file) ?? {}
  const data = textOf(file.file_data)
  if (!data) throw new BadRequest(`${path}.file.file_data is required: stored files cannot be sent to this model`, path)
  const filename = textOf(file.filename)
  return {
    type: 'file',
    url: /^(data|https?):/i.test(data) ? data : dataUrl('application/pdf', data),
    ...(filename === undefined ? {} : { filename }),
    ...decodeCache(part),
  }
}

function decodePart(part: JsonObject, path: string): UserPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: textOf(part.text) ?? '', ...decodeCache(part) }
    case 'image_url':
      return decodeImage(part, path)
    case 'input_audio': {
      const audio = objectOf(part.input_audio)
      const data = textOf(audio?.data)
      if (!data) throw new BadRequest(`${path}.input_audio.data is required and must be base64 text`, path)
      return { type: 'audio', format: textOf(audio?.format) ?? 'wav', data }
    }
    case 'file':
      return decodeFile(part, path)
    default:
      throw new BadRequest(`${path}.type "${String(part.type)}" cannot be sent to this model`, path)
  }
}

export type Content = string | readonly JsonObject[] | undefined

export function decodeUserParts(content: Content, path: string): UserPart[] {
  if (content === undefined) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part, index) => decodePart(part, `${path}.content[${index}]`))
}

export function decodeTextParts(content: Content, path: string): TextPart[] {
  return decodeUserParts(content, path).map((part, index) => {
    if (part.type === 'text') return part
    throw new BadRequest(`${path}.content[${index}] must be text`, path)
  })
}

/** Files are PDFs in this format: a text is sent as one. */
function encodeFile({ url, filename }: FilePart): { [key: string]: Json } {
  const inline = parseDataUrl(url)
  if (!inline?.mediaType.startsWith('text/'))
    return { type: 'file', file: { file_data: url, filename: fileName(filename, inline?.mediaType) } }
  const text = Buffer.from(inline.base64, 'base64').toString('utf8')
  return { type: 'text', text: filename === undefined ? text : `${filename}\n${text}` }
}

function encodePart(part: UserPart, cacheOf: (cache: CacheMark | undefined) => { cache_control?: Json }): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...cacheOf(part.cache) }
    case 'image': {
      const detail = part.detail === undefined ? {} : { detail: part.detail }
      return { type: 'image_url', image_url: { url: part.url, ...detail }, ...cacheOf(part.cache) }
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file':
      return { ...encodeFile(part), ...cacheOf(part.cache) }
  }
}

/** Content of a message: plain text where one text says it all, which every vendor reads. */
export function encodeParts(parts: readonly UserPart[], marksCache: boolean): Json {
  const only = parts.length === 1 ? parts[0] : undefined
  if (parts.length === 0) return ''
  if (only?.type === 'text' && !(marksCache && only.cache)) return only.text
  return parts.map((part) => encodePart(part, marksCache ? encodeCache : () => ({})))
}
