import { createAwsEventStreamParser } from '#server/lib/streams/aws-event-stream.ts'
import type { FrameParser } from '#server/lib/streams/frame-parser.ts'
import { createJsonArrayParser, createJsonArrayWriter } from '#server/lib/streams/json-array.ts'
import { createNdjsonParser, formatNdjson } from '#server/lib/streams/ndjson.ts'
import { createSseParser, formatSse } from '#server/lib/streams/sse.ts'
import type { Frame, Framing } from './dialect.ts'

export interface FrameWriter {
  write(frame: Frame): string
  /** What closes the stream after the last frame; '' for most. */
  end(): string
}

interface Codec {
  reader(): FrameParser
  writer(): FrameWriter
  /** Value of the content-type header of a stream so framed. */
  readonly contentType: string
}

const nothing = () => ''

/** Every chunk is one message: sockets keep the borders of what they carry. */
function createMessageParser(): FrameParser {
  const decoder = new TextDecoder()
  return { push: (chunk) => [{ data: decoder.decode(chunk) }], end: () => [] }
}

const codecs: Record<Framing, Codec> = {
  sse: {
    reader: createSseParser,
    writer: () => ({ write: formatSse, end: nothing }),
    contentType: 'text/event-stream; charset=utf-8',
  },
  ndjson: {
    reader: createNdjsonParser,
    writer: () => ({ write: formatNdjson, end: nothing }),
    contentType: 'application/x-ndjson',
  },
  'json-array': {
    reader: createJsonArrayParser,
    writer: createJsonArrayWriter,
    contentType: 'application/json; charset=utf-8',
  },
  'aws-event-stream': {
    reader: createAwsEventStreamParser,
    writer: () => {
      throw new Error('no client is answered in binary events')
    },
    contentType: 'application/vnd.amazon.eventstream',
  },
  websocket: {
    reader: createMessageParser,
    writer: () => ({ write: (frame) => frame.data, end: nothing }),
    contentType: 'application/json; charset=utf-8',
  },
}

/** Reads the bytes of one stream. Throws `FrameTooLong` when a frame exceeds `MAX_FRAME_LENGTH`. */
export function createFrameReader(framing: Framing): FrameParser {
  return codecs[framing].reader()
}

/** Writes the frames of one stream. */
export function createFrameWriter(framing: Framing): FrameWriter {
  return codecs[framing].writer()
}

export function contentTypeOf(framing: Framing): string {
  return codecs[framing].contentType
}
