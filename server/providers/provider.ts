import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'

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
  readonly stream: boolean
  /** Path and query the client used, for the OpenAI family ('/v1/chat/completions'). */
  readonly path: string
  readonly query: URLSearchParams
  /** Client headers worth passing on (anthropic-version, anthropic-beta, openai-beta …), lower-case names. */
  readonly passHeaders: Readonly<Record<string, string>>
}

/** Things a provider needs from outside; given so that providers stay testable. */
export interface Tools {
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly signal: AbortSignal
}

export interface UpstreamCall {
  readonly url: string
  readonly headers: Record<string, string>
}

/** Translates the bodies of one non-chat operation. Absent: the OpenAI shape passes through untouched. */
export interface OperationCodec {
  encode(body: Json, target: Target): Json
  /** The provider's answer in OpenAI's shape, with `usage` where the provider reports it. Errors in a 200 throw `UpstreamFault`. */
  decode(body: unknown, target: Target): Json
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
  /** Where to send it and with which credentials. May exchange or sign tokens; `body` is the exact text that will be sent. */
  call(target: Target, body: string, tools: Tools): UpstreamCall | Promise<UpstreamCall>
  /** Last changes to a request in canonical form: model-class restrictions, images that must become bytes, and the like. */
  prepare?(request: ChatRequest, target: Target, tools: Tools): ChatRequest | Promise<ChatRequest>
  /** Last changes to the encoded body, also of a passed-through one: vendor fields the dialect does not know. */
  adjust?(body: { [key: string]: Json | undefined }, target: Target): { [key: string]: Json | undefined }
  /** Set when a conversation runs over a socket instead of HTTP: yields raw messages until the provider is done. */
  socket?(target: Target, body: string, tools: Tools): AsyncIterable<string>
  /** Codecs for operations whose bodies are not OpenAI's. */
  readonly codecs?: Partial<Record<Operation, OperationCodec>>
  /** True when passing the client's own body through untouched is right: same dialect on both sides and nothing to rewrite. */
  passesThrough?(target: Target): boolean
  /** Events to add after decoding (documents of a knowledge base, say). */
  finish?(events: readonly ChatEvent[], target: Target): ChatEvent[]
  /** What is left on the key, in the unit the console shows for the type. Absent: not supported. */
  balance?(target: Pick<Target, 'key' | 'baseUrl' | 'type'>, tools: Tools): Promise<number>
}
