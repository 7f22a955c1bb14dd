import type { ChatEvent, ChatFault, ChatRequest } from './chat.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** What a format may or may not have a place for. */
export type Carried = 'image' | 'audio' | 'file' | 'video' | 'n' | 'logprobs'

/** One unit of a stream: a server-sent event, a line of NDJSON or a WebSocket message. `data` is the raw text. */
export interface Frame {
  readonly event?: string
  readonly data: string
  /** The `meta:` line some vendors add to a server-sent event. */
  readonly meta?: string
  /** JSON that stands in an event stream without `data:`, as Google's errors do. */
  readonly bare?: boolean
}

export interface StreamDecoder {
  /** Events this frame brings. Never throws: what cannot be read becomes a `fault` event. */
  push(frame: Frame): ChatEvent[]
  /** The upstream has closed. Emits what was held back; a stream that ended early gets no `finish`. */
  end(): ChatEvent[]
}

export interface StreamEncoder {
  push(event: ChatEvent): Frame[]
  /** Closing frames (final usage, `[DONE]`, `message_stop`…). Called once, after the last event. */
  end(): Frame[]
}

/** How frames travel: `sse` with `data:` lines, `ndjson` one object a line, `json-array` one streamed array, `websocket` messages, `aws-event-stream` binary messages. */
export type Framing = 'sse' | 'ndjson' | 'json-array' | 'websocket' | 'aws-event-stream'

/**
 * A wire format that providers speak (and clients may). Pure and synchronous: no network, no clock, no state but that of one
 * stream. A dialect only knows its format; what a vendor adds or refuses is the provider's business.
 *
 * Encoding never invents content. Settings the format lacks are dropped, content it cannot carry is refused (`carried.ts`). Decoding accepts everything real servers send,
 * including nulls, missing fields and unknown event types.
 */
export interface UpstreamDialect {
  readonly id: string
  readonly framing: Framing
  /** The format knows no answer without a limit. */
  readonly demandsLimit?: boolean
  /** What the format has a place for beyond text; the rest is refused by name. */
  readonly carries?: ReadonlySet<Carried>
  /** Body for the provider. `request.model` is already the mapped name. */
  encodeRequest(request: ChatRequest): Json
  /** A whole answer as the events it would have been. An error inside an HTTP 200 becomes one `fault` event. */
  decodeResponse(body: unknown): ChatEvent[]
  /** The format of a whole answer of a server that answers in another than it was asked in; null when it is this one. */
  answeredIn?(body: unknown): UpstreamDialect | null
  streamDecoder(): StreamDecoder
  /** Whether this frame is the last of its stream, even if the connection stays open. `[DONE]` is so in every format. */
  isLastFrame?(frame: Pick<Frame, 'event' | 'data'>): boolean
  /** An error answer (status >= 400, or a 200 that holds an error). Never contains a key or an address. */
  decodeError(status: number, body: unknown): ChatFault
}

/** What a client has seen of a stream in its own dialect before it failed. */
export interface Shown {
  readonly start?: Extract<ChatEvent, { type: 'start' }> | undefined
  /** The data of the last event. */
  readonly data?: string | undefined
}

/** A wire format that clients speak to us. */
export interface ClientDialect {
  readonly id: string
  /** Throws `BadRequest` with a message that says what to do when the body cannot be understood. */
  decodeRequest(body: unknown): ChatRequest
  encodeResponse(events: readonly ChatEvent[], request: ChatRequest): Json
  streamEncoder(request: ChatRequest): StreamEncoder
  encodeError(fault: ChatFault, requestId: string): Json
  /** The fault as the frames that end a stream which has begun. */
  encodeStreamError(fault: ChatFault, requestId: string, shown?: Shown): readonly Frame[]
  /** What a client waits for at the end of a stream, where the format has such a frame. */
  readonly closingFrame?: Frame
  /** Set where streams report their usage only when asked to; otherwise they always do. */
  readonly usageOnRequest?: UsageOnRequest
  /** Whether a call that no door claims was meant in this dialect, judged by its path and headers; for errors and lookups. */
  recognises(path: string, hasHeader: (name: string) => boolean): boolean
  /** The models a caller can use, as this dialect lists them. */
  modelList(ids: readonly string[]): Json
  modelEntry(id: string): Json
}

/** How a stream is asked to report its usage. */
export interface UsageOnRequest {
  isAsked(body: Readonly<Record<string, unknown>>): boolean
  /** The body with the question added. */
  ask<Body extends Readonly<Record<string, unknown>>>(body: Body): Body
  /** The same body as text, no other byte changed; null where that takes more than adding a field. */
  askInText(text: string, body: Readonly<Record<string, unknown>>): string | null
}

export type Dialect = UpstreamDialect & ClientDialect

/** The client's own mistake: answered with 400 and never retried. */
export class BadRequest extends Error {
  readonly param: string | undefined
  /** What Anthropic's clients read beside the message. */
  readonly details: Record<string, unknown> | undefined
  constructor(message: string, param?: string, details?: Record<string, unknown>) {
    super(message)
    this.name = 'BadRequest'
    this.param = param
    this.details = details
  }
}
