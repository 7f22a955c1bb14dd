import { cleanDetails, cleanWord } from '#server/dialects/fault.ts'
import { type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { jsonFault } from '#server/lib/json-text.ts'
import { textWithoutKey } from '#server/relay/upstream/without-key.ts'

/** A message of a socket as it came. */
export type SocketFrame = string | Uint8Array<ArrayBuffer>

const decoder = new TextDecoder()

const textOfFrame = (data: SocketFrame): string => (typeof data === 'string' ? data : decoder.decode(data))

export const sizeOfFrame = (data: SocketFrame): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength

/** The JSON object of a frame; undefined for anything else, also for an object with a repeated key. */
export function readFrame(data: SocketFrame): JsonObject | undefined {
  const text = textOfFrame(data)
  return jsonFault(text) ? undefined : objectOf(parseJson(text))
}

function shownError(error: unknown): unknown {
  const known = objectOf(error)
  if (!known) return typeof error === 'string' ? cleanWord(error) : error
  return cleanDetails(known).details ?? { message: cleanWord(textOf(known.message) ?? '') }
}

/** The frame with addresses removed from its errors; answers stay unchanged. */
function withoutAddresses(text: string): string {
  const frame = objectOf(parseJson(text))
  const response = objectOf(frame?.response)
  const details = objectOf(response?.status_details)
  if (!frame || (!frame.error && !details?.error)) return text
  const shown = {
    ...frame,
    ...(frame.error ? { error: shownError(frame.error) } : {}),
    ...(details?.error
      ? { response: { ...response, status_details: { ...details, error: shownError(details.error) } } }
      : {}),
  }
  const said = JSON.stringify(shown)
  return said === JSON.stringify(frame) ? text : said
}

/** A vendor's frame; where it speaks of an error, without its address and the key it was asked with. */
export function presentableFrame(data: SocketFrame, key: string): SocketFrame {
  const text = textOfFrame(data)
  if (!text.includes('"error"')) return data
  const clean = withoutAddresses(textWithoutKey(text, key))
  return clean === text ? data : frameLike(data, clean)
}

/** A frame of the same kind (text or binary) as the original. */
export const frameLike = (data: SocketFrame, text: string): SocketFrame =>
  typeof data === 'string' ? text : new TextEncoder().encode(text)

/** How many bytes a text in base 64 stands for. */
export const decodedBytes = (text: unknown): number =>
  typeof text === 'string' ? Math.floor((text.length * 3) / 4) : 0
