import type { FrameParser, WireFrame } from './frame-parser.ts'
import { FrameTooLong, MAX_FRAME_LENGTH } from './lines.ts'

/** Total length, length of the headers and the checksum of both. */
const preludeBytes = 12
const checksumBytes = 4
const stringType = 7

/** How many bytes follow the type of a header value; strings and byte arrays say it themselves. */
const fixedSizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }

function headersOf(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder()
  const headers = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + view.getUint8(at)
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd))
    const type = view.getUint8(nameEnd)
    const fixed = fixedSizes[type]
    if (fixed !== undefined) {
      at = nameEnd + 1 + fixed
      continue
    }
    const valueFrom = nameEnd + 3
    const valueEnd = valueFrom + view.getUint16(nameEnd + 1)
    if (type === stringType) headers.set(name, decoder.decode(bytes.subarray(valueFrom, valueEnd)))
    at = valueEnd
  }
  return headers
}

const checksum = (bytes: Uint8Array): number => Number(Bun.hash.crc32(bytes))

/** What arrived is no event stream, or was damaged on the way. */
class BrokenEventStream extends Error {}

function frameOf(message: Uint8Array): WireFrame {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const bodyEnd = message.length - checksumBytes
  if (checksum(message.subarray(0, bodyEnd)) !== view.getUint32(bodyEnd))
    throw new BrokenEventStream('the checksum of an event does not fit')
  const headersEnd = preludeBytes + view.getUint32(4)
  const headers = headersOf(message.subarray(preludeBytes, headersEnd))
  const data = new TextDecoder().decode(message.subarray(headersEnd, bodyEnd))
  const isFault = headers.get(':message-type') !== 'event'
  return { event: isFault ? 'error' : (headers.get(':event-type') ?? ''), data }
}

/** Reads the binary event stream of AWS: every event a message with headers, a payload and two checksums. */
export function createAwsEventStreamParser(limit = MAX_FRAME_LENGTH): FrameParser {
  let pending = new Uint8Array(0)
  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk.slice() : Uint8Array.from(Buffer.concat([pending, chunk]))
      const frames: WireFrame[] = []
      while (pending.length >= preludeBytes) {
        const view = new DataView(pending.buffer, pending.byteOffset, pending.byteLength)
        const length = view.getUint32(0)
        if (checksum(pending.subarray(0, 8)) !== view.getUint32(8))
          throw new BrokenEventStream('the head of an event does not fit its checksum')
        if (length > limit) throw new FrameTooLong(limit)
        if (pending.length < length) break
        frames.push(frameOf(pending.subarray(0, length)))
        pending = pending.slice(length)
      }
      return frames
    },
    end: () => [],
  }
}
