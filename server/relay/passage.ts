import type { ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { ClientDialect, StreamDecoder, UpstreamDialect } from '#server/dialects/dialect.ts'
import { createFrameReader, createFrameWriter } from '#server/dialects/framing.ts'
import { createSseBlockSplitter, type SseBlock } from '#server/lib/sse-blocks.ts'
import type { Meter } from './meter.ts'

export type Piece = string | Uint8Array

/** How the bytes of an upstream stream become those of the client's. What completes the answer is held back. */
export interface Passage {
  /** Bytes that may go out now. */
  push(chunk: Uint8Array): Piece[]
  /** The upstream has closed. */
  end(): Piece[]
  /** True when nothing more is to come, even if the upstream keeps its connection open. */
  ended(): boolean
  /** Everything held back and what closes the stream; sent once the money is settled. */
  release(): Piece[]
  /** The fault in the client's dialect, instead of the rest. */
  fail(fault: ChatFault, requestId: string): Piece[]
}

const isTerminal = (data: string | undefined, event: string | undefined): boolean =>
  data === '[DONE]' ||
  event === 'message_stop' ||
  event === 'response.completed' ||
  event === 'response.incomplete' ||
  event === 'response.failed'

export interface PassThroughOptions {
  readonly upstream: UpstreamDialect
  readonly client: ClientDialect
  readonly meter: Meter
  /** Drop the usage report the client did not ask for. */
  readonly hideUsage: boolean
  /** How many answers must finish before the rest is held back. */
  readonly answers: number
}

/** Both sides speak the same dialect: the very bytes go through, with the meter looking on. */
export function passThrough({ upstream, client, meter, hideUsage, answers }: PassThroughOptions): Passage {
  const splitter = createSseBlockSplitter()
  const decoder = upstream.streamDecoder()
  const held: string[] = []
  let terminal = false

  /** Whether the block may go out at once. */
  const admit = (block: SseBlock): boolean => {
    const usageOnly = see(block, decoder, meter)
    // The fault is told in our own words, with the request's id and without the provider's address.
    if (meter.fault()) return false
    if (isTerminal(block.data, block.event)) terminal = true
    if (usageOnly && hideUsage) return false
    if (!terminal && held.length === 0 && meter.finishes() < answers) return true
    held.push(block.raw)
    return false
  }
  const pass = ({ bytes, blocks }: { bytes: Uint8Array; blocks: readonly SseBlock[] }): Piece[] => {
    const admitted = blocks.filter(admit)
    if (admitted.length === blocks.length) return bytes.length > 0 ? [bytes] : []
    return admitted.map((block) => block.raw)
  }

  return {
    push: (chunk) => pass(splitter.push(chunk)),
    end() {
      const out = pass(splitter.rest())
      for (const event of decoder.end()) meter.see(event)
      return out
    },
    ended: () => terminal,
    release: () =>
      client.id === 'openai-chat' && !held.some((raw) => raw.includes('[DONE]')) ? [...held, 'data: [DONE]\n\n'] : held,
    fail: (fault, requestId) => failureFrames(client, fault, requestId),
  }
}

/** Shows a block to the meter. Answers whether it holds a usage report and nothing else. */
function see(block: SseBlock, decoder: StreamDecoder, meter: Meter): boolean {
  if (block.data === undefined) return false
  let usage = 0
  let others = 0
  for (const event of decoder.push(
    block.event === undefined ? { data: block.data } : { event: block.event, data: block.data },
  )) {
    meter.see(event)
    if (event.type === 'usage') usage += 1
    else if (event.type !== 'start') others += 1
  }
  return usage > 0 && others === 0
}

export interface TranslationOptions {
  readonly upstream: UpstreamDialect
  readonly client: ClientDialect
  readonly request: ChatRequest
  readonly meter: Meter
  readonly jsonArray: boolean
}

/** Two dialects: every frame is decoded to what happened and said again in the client's words. */
export function translation({ upstream, client, request, meter, jsonArray }: TranslationOptions): Passage {
  const reader = createFrameReader(upstream.framing)
  const writer = createFrameWriter(jsonArray ? 'json-array' : 'sse')
  const decoder = upstream.streamDecoder()
  const encoder = client.streamEncoder(request)
  const held: string[] = []
  const answers = request.n ?? 1
  let terminal = false

  const say = (events: ReturnType<StreamDecoder['push']>): Piece[] =>
    events.flatMap((event) => {
      meter.see(event)
      if (event.type === 'fault') return []
      const frames = encoder.push(event).map((frame) => writer.write(frame))
      if (meter.finishes() < answers) return frames
      held.push(...frames)
      return []
    })
  const read = (frames: ReturnType<ReturnType<typeof createFrameReader>['push']>): Piece[] =>
    frames.flatMap((frame) => {
      if (isTerminal(frame.data, frame.event)) terminal = true
      return say(decoder.push(frame))
    })

  return {
    push: (chunk) => read(reader.push(chunk)),
    end: () => [...read(reader.end()), ...say(decoder.end())],
    ended: () => terminal,
    release: () =>
      [...held, ...encoder.end().map((frame) => writer.write(frame)), writer.end()].filter((piece) => piece !== ''),
    fail: (fault, requestId) => [...failureFrames(client, fault, requestId, jsonArray)],
  }
}

function failureFrames(client: ClientDialect, fault: ChatFault, requestId: string, jsonArray = false): string[] {
  const body = JSON.stringify(client.encodeError(fault, requestId))
  if (jsonArray) return [body, ']']
  return client.id === 'anthropic-messages' || client.id === 'openai-responses'
    ? [`event: error\ndata: ${body}\n\n`]
    : [`data: ${body}\n\n`]
}
