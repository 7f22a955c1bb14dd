import type { AudioPart, FilePart, ImagePart, UserPart } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { type JsonObject, textOf } from '#server/lib/json.ts'
import { dataUrl, parseDataUrl } from '#server/lib/network/data-url.ts'
import { words } from '#server/lib/words.ts'
import { field, objectField } from './either-case.ts'

const audioFormats = words<string>({ mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' })

const imageTypes = words<string>({ png: 'image/png', gif: 'image/gif', webp: 'image/webp' })

/** Google's clients may write bytes in the alphabet for addresses, which nobody else reads. */
export function standardBase64(data: string | undefined): string | undefined {
  if (data === undefined || !/[-_]/.test(data)) return data
  const standard = data.replaceAll('-', '+').replaceAll('_', '/')
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
}

/** Films that Google watches at their address. */
export const isYoutube = (url: string): boolean => /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtu\.be)\//i.test(url)

/** Google alone watches and listens at an address; others would be given the page for a document. */
function refuseStreams(mediaType: string, url: string, path: string): void {
  if (mediaType.startsWith('video/') || isYoutube(url))
    throw new BadRequest(`${path}: Films (video) cannot be sent to this model`, path)
  if (mediaType.startsWith('audio/'))
    throw new BadRequest(`${path}: Sound (audio) by address cannot be sent to this model: send its bytes`, path)
}

/** Part for the data or the file of a message; undefined when the part holds neither. */
export function decodeMedia(part: JsonObject, path: string): UserPart | undefined {
  const inline = objectField(part, 'inlineData')
  const file = objectField(part, 'fileData')
  if (!inline && !file) return undefined
  const mediaType = textOf(field(inline ?? file, 'mimeType')) ?? 'application/octet-stream'
  const data = standardBase64(textOf(inline?.data))
  const url = data === undefined ? textOf(field(file, 'fileUri')) : dataUrl(mediaType, data)
  if (url === undefined || !/^(data|https?):/i.test(url)) {
    throw new BadRequest(`${path} must hold inline data or an http(s) address for this model`, path)
  }
  if (data === undefined) refuseStreams(mediaType, url, path)
  if (mediaType.startsWith('image/')) return { type: 'image', url }
  const subtype = mediaType.slice(mediaType.indexOf('/') + 1)
  if (mediaType.startsWith('audio/') && data !== undefined) {
    return { type: 'audio', format: audioFormats[subtype] ?? subtype, data }
  }
  const filename = textOf(field(inline ?? file, 'displayName'))
  return { type: 'file', url, ...(filename === undefined ? {} : { filename }) }
}

function typeOfAddress(part: ImagePart | FilePart): string {
  if (part.type === 'file') return 'application/pdf'
  const extension = /\.(\w+)(?:[?#]|$)/.exec(part.url)?.[1]?.toLowerCase() ?? ''
  return imageTypes[extension] ?? 'image/jpeg'
}

export function encodeMedia(part: ImagePart | FilePart | AudioPart): Json {
  if (part.type === 'audio') return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } }
  const inline = parseDataUrl(part.url)
  // Anything else would name a file that Google keeps for somebody.
  if (!inline && !/^https?:/i.test(part.url))
    throw new BadRequest('Pictures and files must be bytes or an http(s) address', 'messages')
  if (isYoutube(part.url)) return { fileData: { fileUri: part.url } }
  if (!inline) return { fileData: { mimeType: typeOfAddress(part), fileUri: part.url } }
  // Without its name: Google's API refuses a `displayName` beside bytes.
  return { inlineData: { mimeType: inline.mediaType, data: inline.base64 } }
}
