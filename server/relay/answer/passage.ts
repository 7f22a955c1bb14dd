import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { ClientDialect, Frame, StreamDecoder, UpstreamDialect } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'
import { createFrameReader, createFrameWriter } from '#server/dialects/framing.ts'
import { parseObject, textOf } from '#server/lib/json.ts'
import { formatSse } from '#server/lib/streams/sse.ts'
import { createSseBlockSplitter, type SseBlock } from '#server/lib/streams/sse-blocks.ts'
import { isContent, type Meter } from '#server/relay/metering/meter.ts'
import { createAnswerHead } from './answer-head.ts'
import { createContinuation } from './continuation.ts'
import { createNaming, type Naming } from './naming.ts'
import { withoutCost } from './without-cost.ts'

export type Piece = string | Uint8Array

/** Turns the bytes of an upstream stream into those of the client's. What completes the answer is held back until it is settled. */
export interface Passage {
  /** Bytes that may go out now. */
  push(chunk: Uint8Array): Piece[]
  /** The upstream has closed. */
  end(): Piece[]
  /** True when nothing more is to come, even if the upstream keeps its connection open. */
  ended(): boolean
  /** Everything held back and what closes the stream; sent once the money is settled. */
  release(): Piece[]
  /** The data of the event that closed the answer, once everything is released. */
  lastData(): string | undefined
  /** The data of the events that matched `ids`. */
  withIds(): readonly string[]
  /** The fault in the client's dialect, instead of the rest. */
  fail(fault: ChatFault, requestId: string): Piece[]
}

/** `[DONE]` ends a stream in every format that has it, whichever the vendor. */
const isLast = (upstream: UpstreamDialect, frame: { readonly event?: string; readonly data: string }): boolean =>
  frame.data === '[DONE]' || (upstream.isLastFrame?.(frame) ?? false)

export interface PassThroughOptions {
  readonly upstream: UpstreamDialect
  readonly client: ClientDialect
  readonly meter: Meter
  /** Drop the usage report the client did not ask for. */
  readonly hideUsage: boolean
  /** Remove what the vendor charged the operator for the answer. */
  readonly hideCost: boolean
  /** How many answers must finish before the rest is held back. */
  readonly answers: number
  /** The client wants the events as one JSON array. */
  readonly jsonArray: boolean
  /** The name the client asked for and reads in the answer. */
  readonly model: string
  /** Matches events whose ids are remembered; undefined when there are none in this answer. */
  readonly ids?: RegExp | undefined
}

/** Behind its end an answer has a report of usage and little else. */
const heldLengthMax = 4 * 1024 * 1024

/** An answer contains few such events; further ones are not remembered. */
const withIdsMax = 200

/** Both sides speak the same dialect: the bytes pass through unchanged, and the meter reads them. */
export function passThrough(options: PassThroughOptions): Passage {
  const { upstream, client, meter, hideUsage, hideCost, answers, jsonArray } = options
  const naming = createNaming(options.model)
  const splitter = createSseBlockSplitter()
  const decoder = upstream.streamDecoder()
  const array = jsonArray ? createFrameWriter('json-array') : null
  const held: SseBlock[] = []
  let heldLength = 0
  const continuation = array || hideCost ? null : createContinuation(naming)
  let terminal = false
  let lastData: string | undefined
  let start: Extract<ChatEvent, { type: 'start' }> | undefined
  let shownData: string | undefined
  const withIds: string[] = []
  const { ids } = options

  const isEnd = ({ data, event }: SseBlock): boolean =>
    data !== undefined ? isLast(upstream, event === undefined ? { data } : { event, data }) : false

  /** The blocks that may go out at once: this one, and those held back for an end that turned out not to be one. */
  const admit = (block: SseBlock): SseBlock[] => {
    const events = see(block, decoder, meter, naming)
    continuation?.learn(block.raw, events)
    // The fault goes out in our own words, with the request's id and without the provider's address.
    if (meter.fault()) return []
    const begun = start ? undefined : events.find((event) => event.type === 'start')
    if (begun) start = { ...begun, model: options.model }
    shownData = block.data ?? shownData
    if (isEnd(block)) {
      terminal = true
      lastData = block.data
    }
    if (ids && block.data !== undefined && withIds.length < withIdsMax && ids.test(block.data)) withIds.push(block.data)
    if (!start && events.length === 0 && isPreamble(block)) return []
    if (hideUsage && isReport(block, events)) return []
    if (!terminal && meter.finishes() < answers) {
      heldLength = 0
      return [...held.splice(0), block]
    }
    held.push(block)
    heldLength += block.raw.length
    if (heldLength > heldLengthMax) throw new Error('what follows the end of an answer is too long')
    return []
  }
  const text = ({ raw, data: said, event }: SseBlock): string => {
    const data = hideCost && said !== undefined ? withoutCost(said) : said
    if (array) return data === undefined ? '' : array.write({ data: naming.rename(data) })
    if (data === said || data === undefined) return naming.rename(raw)
    return naming.rename(formatSse(event === undefined ? { data } : { event, data }))
  }
  const pass = ({ bytes, blocks }: { bytes: Uint8Array; blocks: readonly SseBlock[] }): Piece[] => {
    const isFollowing = held.length > 0
    const admitted = blocks.flatMap(admit)
    const isChanged = array !== null || hideCost || isFollowing || naming.renames()
    if (!isChanged && admitted.length === blocks.length) return bytes.length > 0 ? [bytes] : []
    return admitted.map(text).filter((piece) => piece !== '')
  }

  return {
    push(chunk) {
      const isAtFrame = held.length === 0 && splitter.isEmpty() && !meter.fault()
      const continued = isAtFrame ? continuation?.read(chunk) : null
      if (!continued) return pass(splitter.push(chunk))
      meter.see(continued.event)
      return continued.pieces
    },
    end() {
      const out = pass(splitter.rest())
      for (const event of decoder.end()) meter.see(event)
      return out
    },
    ended: () => terminal,
    lastData: () => lastData,
    withIds: () => withIds,
    release() {
      const pieces = held.map(text)
      if (array) return [...pieces, array.end()]
      const { closingFrame } = client
      const isOpen = closingFrame && !held.some((block) => block.data === closingFrame.data)
      return isOpen ? [...pieces, formatSse(closingFrame)] : pieces
    },
    fail(fault, requestId) {
      const frames = client.encodeStreamError(fault, requestId, { start, data: shownData })
      return array ? [...frames.map((frame) => array.write(frame)), array.end()] : frames.map(formatSse)
    },
  }
}

/** Decodes a block for the meter. Returns its events. */
function see(block: SseBlock, decoder: StreamDecoder, meter: Meter, naming: Naming): readonly ChatEvent[] {
  if (block.data === undefined) return []
  const events = decoder.push(
    block.event === undefined ? { data: block.data } : { event: block.event, data: block.data },
  )
  for (const event of events) {
    meter.see(event)
    if (event.type === 'start') naming.learn(event.model)
  }
  if (naming.isOpen()) naming.learn(nameIn(block.data))
  return events
}

/** Some vendors name the model in a later frame only. */
function nameIn(data: string): string | undefined {
  const { model, modelVersion } = parseObject(data)
  return textOf(model) ?? textOf(modelVersion)
}

/** What Azure says of the question before it answers: a chunk of no choice, which clients of the format do not expect. */
const isPreamble = ({ data }: SseBlock): boolean => data !== undefined && /"choices"\s*:\s*\[\s*\]/.test(data)

/** Whether a block holds a usage report and nothing else. */
function isReport({ data = '' }: SseBlock, events: readonly ChatEvent[]): boolean {
  if (!events.some(({ type }) => type === 'usage')) return false
  // Sound, citations and probabilities are no events, and may come beside the report.
  return events.every(({ type }) => type === 'usage' || type === 'start') && !/"choices"\s*:\s*\[\s*\{/.test(data)
}

/** Drops the end of an answer that goes on. */
function reopen(tail: ChatEvent[], event: ChatEvent): void {
  if (!isContent(event)) return
  const at = tail.findIndex((end) => end.type === 'finish' && (end.choice ?? 0) === (event.choice ?? 0))
  if (at >= 0) tail.splice(at, 1)
}

export interface TranslationOptions {
  readonly upstream: UpstreamDialect
  readonly client: ClientDialect
  readonly request: ChatRequest
  readonly meter: Meter
  readonly jsonArray: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** The id of an answer the relay keeps itself. */
  readonly keptId?: string
}

/** Two dialects: every frame is decoded into events and encoded in the client's dialect. */
export function translation(options: TranslationOptions): Passage {
  const { upstream, client, request, meter, jsonArray, now, keptId } = options
  const reader = createFrameReader(upstream.framing)
  const writer = createFrameWriter(jsonArray ? 'json-array' : 'sse')
  const decoder = upstream.streamDecoder()
  const encoder = client.streamEncoder(request)
  const complete = createAnswerHead(request.model, now, keptId)
  /** The events that end the answer, in order; encoded once nothing can follow them. */
  const tail: ChatEvent[] = []
  let terminal = false
  let lastData: string | undefined

  const write = (frames: readonly Frame[]): string[] => frames.map((frame) => writer.write(frame))
  const closed = (pieces: readonly string[]): string[] => [...pieces, writer.end()].filter((piece) => piece !== '')
  const encode = (events: readonly ChatEvent[]): Piece[] =>
    complete(events).flatMap((event) => {
      meter.see(event)
      if (event.type === 'fault') return []
      if (event.type === 'finish' || (event.type === 'usage' && tail.length > 0)) {
        tail.push(event)
        return []
      }
      // A reason to finish does not end the text that follows it.
      if (tail.length > 0) reopen(tail, event)
      return write(encoder.push(event))
    })
  const read = (frames: readonly Frame[]): Piece[] =>
    frames.flatMap((frame) => {
      if (isLast(upstream, frame)) terminal = true
      return encode(decoder.push(frame))
    })

  return {
    push: (chunk) => read(reader.push(chunk)),
    end: () => [...read(reader.end()), ...encode(decoder.end())],
    ended: () => terminal,
    lastData: () => lastData,
    withIds: () => [],
    release() {
      // Some vendors end a stream without a reason to finish, and the client's dialect requires one.
      if (meter.finishes() === 0) tail.unshift({ type: 'finish', reason: 'stop' })
      const pieces = tail.flatMap((event) => write(encoder.push(event)))
      const closing = encoder.end()
      lastData = closing.at(-1)?.data
      return closed([...pieces, ...write(closing)])
    },
    fail(fault, requestId) {
      const numbered = { ...fault, message: messageWithId(fault, requestId) }
      return closed(write(encoder.push({ type: 'fault', fault: numbered })))
    },
  }
}
