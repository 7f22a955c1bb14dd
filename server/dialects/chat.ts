/**
 * The conversation every dialect is translated through. It holds what at least two wire formats share; whatever only one of
 * them knows travels untouched when both sides speak the same dialect, and is dropped when they do not.
 */

export interface CacheMark {
  readonly ttl?: '5m' | '1h'
}

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly cache?: CacheMark
}

/** `url` is http(s) or a `data:` URL. Providers that want bytes get a `data:` URL from the guarded fetch before encoding. */
export interface ImagePart {
  readonly type: 'image'
  readonly url: string
  readonly detail?: 'auto' | 'low' | 'high'
  readonly cache?: CacheMark
}

export interface AudioPart {
  readonly type: 'audio'
  readonly format: string
  /** base64 */
  readonly data: string
}

/** `url` is a `data:` URL or http(s); PDFs mostly. */
export interface FilePart {
  readonly type: 'file'
  readonly url: string
  readonly filename?: string
  readonly cache?: CacheMark
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/**
 * Thinking the model did. `signature` proves it to the provider that made it, `redacted` is thinking only that provider can
 * read; both are sealed with their origin (`signature.ts`), so that no other provider is sent them.
 */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly signature?: string
  readonly redacted?: string
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON text of an object, exactly as the model wrote it; '' means no arguments. */
  readonly arguments: string
  /** Gemini's thought signature, replayed with the call. */
  readonly signature?: string
  readonly cache?: CacheMark
}

export type UserPart = TextPart | ImagePart | AudioPart | FilePart
export type AssistantPart = TextPart | RefusalPart | ReasoningPart | ToolCallPart | ImagePart

export type Message =
  | { readonly role: 'system' | 'developer'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[]; readonly name?: string }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name?: string
      readonly parts: readonly UserPart[]
      readonly isError?: boolean
      readonly cache?: CacheMark
    }

export interface Tool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; absent means an empty object. */
  readonly parameters?: Record<string, unknown>
  readonly strict?: boolean
  readonly cache?: CacheMark
  /** Called with one free text, which other formats carry as the only field of the arguments (`tools/text-tool.ts`). */
  readonly takesText?: true
  /** Where its client keeps it, when `name` is the name of its namespace joined with its own. */
  readonly origin?: { readonly namespace: string; readonly name: string }
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema'
      readonly name: string
      readonly schema: Record<string, unknown>
      readonly description?: string
      readonly strict?: boolean
    }

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly stream: boolean
  /** The client wants a usage report at the end of its stream. */
  readonly includeUsage: boolean
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** How many answers; 1 when absent. */
  readonly n?: number
  readonly tools?: readonly Tool[]
  /** Types of tools that only the client's own vendor runs: left out, and noted. */
  readonly leftOut?: readonly string[]
  readonly toolChoice?: ToolChoice
  /** Names of the tools that may be called, where that is not all of them. */
  readonly allowedTools?: readonly string[]
  readonly parallelToolCalls?: boolean
  readonly responseFormat?: ResponseFormat
  readonly reasoning?: { readonly effort?: Effort; readonly budgetTokens?: number; readonly show?: boolean }
  readonly verbosity?: 'low' | 'medium' | 'high'
  readonly logprobs?: { readonly top?: number }
  readonly user?: string
  /** How fast and at which price to be served, and what belongs together in a cache, in OpenAI's two formats. */
  readonly serviceTier?: string
  readonly cacheKey?: string
  /** Fields that OpenAI's two formats spell alike and no other format knows. */
  readonly openaiFields?: Readonly<Record<string, unknown>>
  /** The proofs of its thoughts are wanted, whatever it says of thinking. */
  readonly wantsProofs?: true
  /** What the answer repeats of the question, where the client's format does. */
  readonly echo?: Readonly<Record<string, unknown>>
}

/** Tokens in the inclusive convention: `input` contains the cached and cache-write tokens, `output` contains the reasoning. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Sound read from a cache. Not contained in `cacheRead`. */
  readonly audioCacheRead?: number
  /** Written to a cache that lives five minutes (or the provider's only kind). */
  readonly cacheWrite?: number
  /** Written to a cache that lives one hour. Not contained in `cacheWrite`. */
  readonly cacheWriteLong?: number
  readonly reasoning?: number
  readonly audioInput?: number
  readonly audioOutput?: number
  readonly imageInput?: number
  readonly imageOutput?: number
  /** What the vendor says the answer cost, in dollars; not a number when it says nonsense. */
  readonly reportedUsd?: number
  /** How the vendor says it served the request; absent when it does not say. */
  readonly tier?: 'priority' | 'flex' | 'fast' | 'ultrafast' | 'standard'
  readonly insideUs?: boolean
  /** Calls of tools that ran at the vendor, which are paid by the call. */
  readonly webSearch?: number
  readonly fileSearch?: number
  readonly codeSession?: number
  /** Of `output`, what a total alone speaks of: some of it may be the prompt, which nobody reported. */
  readonly undivided?: number
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter'

/** What is wrong, in the terms a client can act on. `type` and `code` follow OpenAI's vocabulary. */
export interface ChatFault {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code?: string
  readonly param?: string
  /** What Anthropic's clients read beside the message. */
  readonly details?: Record<string, unknown>
}

/** A token the model chose or might have chosen. */
export interface LikelyToken {
  readonly token: string
  readonly logprob: number
  readonly bytes: readonly number[]
}

/** A token of the answer, and what else could have stood in its place. */
export interface TokenLogprobs extends LikelyToken {
  readonly top: readonly LikelyToken[]
}

/** A page the answer cites; `start` and `end` are characters of its text. */
export interface Citation {
  readonly url: string
  readonly title: string
  readonly start: number
  readonly end: number
}

/** One thing that happens while an answer arrives. `choice` is the answer's number when `n` > 1. */
export type ChatEvent =
  /** `created` in seconds. What a provider left out, the relay may complete before it encodes. */
  | { readonly type: 'start'; readonly id?: string; readonly model?: string; readonly created?: number }
  | {
      readonly type: 'text-delta'
      readonly text: string
      readonly logprobs?: readonly TokenLogprobs[]
      readonly choice?: number
    }
  | { readonly type: 'refusal-delta'; readonly text: string; readonly choice?: number }
  | { readonly type: 'reasoning-delta'; readonly text: string; readonly choice?: number }
  /** Closes the running reasoning block with its proof. */
  | { readonly type: 'reasoning-signature'; readonly signature: string; readonly choice?: number }
  | { readonly type: 'reasoning-redacted'; readonly data: string; readonly choice?: number }
  /** `index` counts the tool calls of one choice from 0. */
  | {
      readonly type: 'tool-call-start'
      readonly index: number
      readonly id: string
      readonly name: string
      readonly signature?: string
      readonly choice?: number
    }
  | { readonly type: 'tool-call-delta'; readonly index: number; readonly arguments: string; readonly choice?: number }
  | { readonly type: 'image'; readonly url: string; readonly choice?: number }
  | { readonly type: 'citation'; readonly citation: Citation; readonly choice?: number }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string; readonly choice?: number }
  /** Cumulative: the last one counts. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'fault'; readonly fault: ChatFault }
