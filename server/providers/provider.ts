import type { ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import type { ApiReason } from '#shared/api-reasons.ts'
import type { OpenaiApi } from './openai/api-rows.ts'

/** What a request wants done. `chat` is any conversation, whatever dialect the client speaks. */
export type Operation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'images'
  | 'image-edits'
  | 'image-variations'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'rerank'
  | 'compact'
  | 'caches'
  /** A call of a vendor's own, passed to it unread. */
  | 'passage'
  /** Sessions over a socket: OpenAI's, and Google's. */
  | 'realtime'
  | 'live'
  | 'videos'
  /** Google's calls of image models, and of video models. */
  | 'predict'
  | 'predict-long'

/** Limits of an answer, so that it costs no more than is held for it. */
export interface AnswerBound {
  /** The longest answer, in tokens; null when the client's own limit may pass unchanged. */
  readonly answer: number | null
  /** For formats that demand a limit where the client sets none; null when nobody knows one. */
  readonly longest: number | null
  /** The most calls of tools that run at the vendor; null when none are paid by the call. */
  readonly calls: number | null
  /** The most tokens of thoughts that the limit of the answer does not count; null when the model may think as long as it can. */
  readonly thoughts: number | null
}

export const unbounded: AnswerBound = { answer: null, longest: null, calls: null, thoughts: null }

/** Which of OpenAI's two APIs a conversation is asked by. */
export interface ApiChoice {
  readonly name: OpenaiApi
  readonly reason: ApiReason
  /** Sent where the client names no effort: without it the model takes no tools in chat. */
  readonly effort?: 'none'
  /** The thoughts of the conversation are left out. */
  readonly withoutThoughts?: true
}

/** The channel a request goes through, its secrets opened, and what is asked of it. */
export interface Target {
  readonly channelId: number
  readonly type: number
  readonly key: string
  /** Without a trailing slash; the type's default when the channel has none. */
  readonly baseUrl: string
  readonly other: string
  /** The name the provider knows (after model mapping). */
  readonly model: string
  readonly operation: Operation
  readonly bound: AnswerBound
  readonly stream: boolean
  /** Id of the dialect the client speaks, so that a provider that knows it natively can answer in it. */
  readonly clientDialect?: string
  /** Absent where there is nothing to choose. */
  readonly api?: ApiChoice
  /** Path and query the client used ('/v1/chat/completions'). */
  readonly path: string
  query(): URLSearchParams
  /** What the client sent in a header that providers pass on. */
  passed(header: PassedHeader): string | undefined
}

export type PassedHeader = 'anthropic-version' | 'anthropic-beta' | 'openai-beta' | 'http-referer' | 'x-title'

/** Things a provider needs from outside; given so that providers stay testable. */
export interface Tools {
  readonly fetch: Fetch
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal: AbortSignal
  /** Bytes of an address a client named, fetched with the guard against inner networks, as a `data:` URL. */
  readonly fetchBytes: (url: string) => Promise<string>
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** Always a POST. JSON bodies are sent as exactly `content-type: application/json`, which signatures rely on. */
export interface UpstreamCall {
  readonly url: string
  /** Made for this call: the relay adds its own to them. */
  readonly headers: Record<string, string>
}

/** A vendor's own call, free of charge, that counts the tokens of a conversation. */
export interface CountCall {
  /** What the conversation is written in. */
  readonly dialect: UpstreamDialect
  call(target: Target): UpstreamCall
  /** The body of a conversation as this call wants it. */
  encode(body: Body, target: Target): Body
  read(answer: unknown): number | undefined
}

/** What a vendor keeps for its callers, each under an id of its own. */
export type StoredKind =
  | 'responses'
  | 'conversations'
  | 'cachedContents'
  | 'openai-files'
  | 'anthropic-files'
  | 'gemini-files'

/** How things that a vendor keeps are reached. */
export interface StoredThings {
  readonly kinds: ReadonlySet<StoredKind>
  /** `path` begins below the version: `/responses/resp_1/input_items`. */
  call(target: Pick<Target, 'key' | 'baseUrl' | 'other'>, path: string): UpstreamCall
  /** Where files are sent, for vendors that take them elsewhere; `path` begins with the version's place in front of it. */
  media?(target: Pick<Target, 'key' | 'baseUrl' | 'other'>, way: 'upload' | 'download', path: string): UpstreamCall
}

/** A call of a vendor's own, as its client made it. */
export interface VendorRequest {
  readonly method: string
  /** Path and query below the channel's address. */
  readonly path: string
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** `body` is what the client wrote in its dialect. */
export type ThinksBeside = (model: string, asked: { readonly dialect: string; readonly body: Body }) => number

export type Body = { [key: string]: Json | undefined }

/** Translates the bodies of one non-chat operation. Absent: the OpenAI shape passes through untouched. */
export interface OperationCodec {
  encode(body: Json, target: Target): Json
  /** Follows up on an answer that is only a ticket: resolves with the body to decode. Absent: the first answer is the answer. */
  collect?(body: unknown, target: Target, tools: Tools): Promise<unknown>
  /**
   * The provider's answer in OpenAI's shape, with `usage` where the provider reports it. Errors in a 200 throw `UpstreamFault`.
   * `request` is what the client sent.
   */
  decode(body: unknown, target: Target, request: Json): Json
}

/** An error the provider reported inside a successful HTTP answer. */
export class UpstreamFault extends Error {
  readonly fault: ChatFault
  constructor(fault: ChatFault) {
    super(fault.message)
    this.name = 'UpstreamFault'
    this.fault = fault
  }
}

/**
 * A vendor. Says how to reach it and in which dialect; everything it can do is a field of its own file. Providers hold no
 * state of a request; caches of access tokens live inside the provider's file, keyed by the whole key.
 */
export interface Provider {
  /** Channel type ids this provider serves. */
  readonly types: readonly number[]
  readonly operations: readonly Operation[]
  /** The dialect the target's key, model or `other` selects for a conversation. */
  dialect(target: Target): UpstreamDialect
  /** By which of OpenAI's APIs it takes conversations of other dialects; absent or empty where the relay has nothing to choose. */
  apis?(target: Pick<Target, 'baseUrl' | 'other'>): readonly OpenaiApi[]
  /** How many tokens a model may think beside the limit of its answer; absent where the limit counts thoughts too. */
  readonly thinksBeside?: ThinksBeside
  /**
   * Where to send it and with which credentials. A stream that was asked for may be answered with one JSON body (an error with
   * HTTP 200, a service that cannot stream): that is for `decodeResponse`. May exchange or sign tokens; `body` is the exact text that
   * will be sent.
   */
  call(target: Target, body: string, tools: Tools): UpstreamCall | Promise<UpstreamCall>
  /**
   * Last changes to a request in canonical form: model-class restrictions, images that must become bytes, and the like. What the
   * client has to mend is a `BadRequest`; any other error counts as ours and not as the channel's.
   */
  prepare?(request: ChatRequest, target: Target, tools: Tools): ChatRequest | Promise<ChatRequest>
  /** Last changes to the encoded body, also of a passed-through one: vendor fields the dialect does not know. */
  adjust?(body: Body, target: Target, tools: Tools): Body
  /** Used instead of HTTP when the dialect's framing is `websocket`: yields raw messages until the provider is done. */
  socket?(target: Target, body: string, tools: Tools): AsyncIterable<string>
  /** Codecs for operations whose bodies are not OpenAI's. */
  readonly codecs?: Partial<Record<Operation, OperationCodec>>
  /**
   * With the same dialect on both sides the client's body and the provider's answer pass through untouched. A provider whose
   * variant of the dialect would surprise the client answers false here, and both are translated.
   */
  passesThrough?(target: Target, body: Json): boolean
  /**
   * The provider refused: true when what was known of it has just been put right (a credential dropped, a dialect given up), so
   * that the same call is worth one more try.
   */
  refresh?(fault: ChatFault, target: Target): boolean
  /** Why this target can no longer work, for services their vendor has switched off. Said when a call fails for any reason. */
  retired?(target: Target): string | undefined
  /** Fields, beside those of its dialect, by which it sells more than the answer and that have no price; in small letters. */
  readonly unpricedFields?: readonly string[]
  /** Its usage reports name what an answer cost the operator: that counts, and is no business of the client. */
  readonly reportsCost?: true
  /** Absent: tokens are counted here. */
  readonly count?: CountCall
  /** Absent: the vendor keeps nothing. */
  readonly stored?: StoredThings
  /** Where a call of the vendor's own goes, and its credential. Absent: below the channel's address, proven like a conversation. */
  pass?(target: Target, request: VendorRequest, tools: Tools): UpstreamCall | Promise<UpstreamCall>
  /** What is left on the key, in the unit the console shows for the type. Absent: not supported. */
  balance?(target: Pick<Target, 'key' | 'baseUrl' | 'type'>, tools: Tools): Promise<number>
  /** The names on the provider's own list of models. Absent: it has none. */
  models?(target: Pick<Target, 'key' | 'baseUrl' | 'other' | 'type'>, tools: Tools): Promise<string[]>
}
