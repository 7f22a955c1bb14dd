import type { Json } from '#server/dialects/dialect.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { pictureSize } from '#server/lib/media/picture-size.ts'
import { recordingSeconds } from '#server/lib/media/recording-length.ts'
import { memoize } from '#server/lib/memoize.ts'

type Fields = Readonly<Record<string, Json | undefined>>

/** What a piece of a conversation brings beside text. */
export type Attachment =
  | { readonly kind: 'picture'; readonly tokens: number }
  | { readonly kind: 'sound'; readonly tokens: number }
  /** How much it is only the vendor will know. */
  | { readonly kind: 'unknown' }

const unknown: Attachment = { kind: 'unknown' }

/** Names of what lies elsewhere: the vendor fetches it and counts. */
const remoteFields = new Set(['file_id', 'fileUri', 'file_uri', 'file_url', 'video_url'])
/** Fields that hold an address or the bytes themselves; some vendors have more that end alike (`document_url`). */
const addressFields = new Set(['image', 'audio', 'video', 'input_audio', 'known_speaker_references'])
/** Vendors have schemes of their own for what they keep (`ms://`, `oss://`). */
const isAddress = (value: string): boolean => /^([a-z][a-z0-9+.-]*:\/\/|(https?|gs|s3|file):)/i.test(value)
/** Who fetches an address reads over what stands before it and over breaks inside of it. */
const readAddress = (value: string): string => (value.startsWith('data:') ? value : value.replace(/[^!-~]+/g, ''))

/** Enough signs of an address to know what it is, however many others stand between them. */
const addressHead = /^(?:[^!-~]*[!-~]){1,32}/

/** Fields that carry the bytes themselves. */
const byteFields = new Set(['data', 'file_data', 'b64_json'])

/** What the texts of a field are, by its name. */
const readRole = (field: string) => ({
  isRemote: remoteFields.has(field),
  isBytes: byteFields.has(field),
  isText: !remoteFields.has(field) && !byteFields.has(field) && !addressFields.has(field) && !/ur[li]$/i.test(field),
})
/** Requests have the same names again and again, and none of these is long. */
const knownRole = memoize(2000, readRole)
const knownMost = 64

const typeFields = ['media_type', 'mimeType', 'mime_type', 'format']

/** Reads no more of a picture than its first bytes. */
const headLength = 256 * 1024

export const pictureTokensUsual = 10_000
/** The same where a request asks for all pixels to be read. */
export const pictureTokensMost = 16_384
/** The newest of Google's models count any picture so. */
const pictureTokensLeast = 1120
/** The finest grid in use cuts a picture into patches of 32 by 32 and counts each up to two and a half times. */
const pixelsPerToken = 400

/** Of Google's models, which take the most. */
export const soundTokensPerSecond = 32
/** A recording that does not hold its length is taken to have the lowest usual bit rate. */
const leastBytesPerSecond = 1000

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

/** Tokens of a picture of which all pixels are read. */
export function pictureTokens(bytes: Uint8Array): number {
  const size = pictureSize(bytes)
  if (!size) return pictureTokensMost
  const tokens = Math.ceil((size.width * size.height) / pixelsPerToken)
  return Math.min(pictureTokensMost, Math.max(pictureTokensLeast, tokens))
}

export const secondsOf = (bytes: Uint8Array): number => recordingSeconds(bytes) ?? bytes.length / leastBytesPerSecond

function inline(type: string, base64: string): Attachment {
  // The length of a film cannot be read from its bytes here.
  if (type.includes('video')) return unknown
  if (/image|png|jpe?g|gif|webp/.test(type))
    return { kind: 'picture', tokens: pictureTokens(bytesOf(base64.slice(0, headLength))) }
  if (/audio|wav|mp3|mpeg|ogg|flac|pcm|aac|opus/.test(type))
    return { kind: 'sound', tokens: Math.ceil(secondsOf(bytesOf(base64)) * soundTokensPerSecond) }
  return unknown
}

function ofDataUrl(url: string): Attachment {
  const comma = url.indexOf(',')
  const [type = ''] = url.slice(0, comma).split(';', 1)
  return inline(type, url.slice(comma + 1))
}

/** What a text field of an object attaches; null when it is a text like any other. */
export function attachmentIn(field: string, value: string, owner: Fields): Attachment | null {
  const { isRemote, isBytes, isText } = (field.length < knownMost ? knownRole : readRole)(field)
  if (isText) return null
  if (isRemote) return unknown
  const type = isBytes ? typeFields.map((name) => owner[name]).find((named) => typeof named === 'string') : undefined
  // A document may be plain words.
  if (typeof type === 'string' && type.startsWith('text/') && owner.type === 'text') return null
  const head = readAddress(addressHead.exec(value)?.[0] ?? '')
  if (head.startsWith('data:')) return ofDataUrl(readAddress(value))
  if (isAddress(head) || field === 'file_data') return unknown
  return typeof type === 'string' ? inline(type, value) : null
}

/** Whether a content of Google's holds a film, which is embedded at a price of its own. */
export function holdsFilm(content: unknown): boolean {
  return arrayOf(objectOf(content)?.parts).some((part) => {
    const { inlineData, inline_data, fileData, file_data } = objectOf(part) ?? {}
    return [inlineData, inline_data, fileData, file_data].some((data) => {
      const { mimeType, mime_type } = objectOf(data) ?? {}
      return [mimeType, mime_type].some((type) => textOf(type)?.trim().toLowerCase().startsWith('video') === true)
    })
  })
}
