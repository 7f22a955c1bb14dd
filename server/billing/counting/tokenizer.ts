import { othersTurn } from '#server/lib/others-turn.ts'
import { type CountableMessage, chatOverhead, chatTexts } from './chat-tokens.ts'
import { timesOpenaiTokens } from './claude-tokens.ts'
import { estimateTokens } from './token-estimate.ts'

/** The work of an encoder grows with the square of a run without a space, so it never sees a longer piece than this. */
const pieceLength = 500

/** Characters worth counting exactly; the rest of a longer text is estimated. */
const exactLength = 200_000

/** Pieces encoded before other work gets its turn. */
const piecesAtOnce = 16

/** Loading an encoding takes a good part of a second and tens of megabytes, so only texts that need counting do it. */
const encodings = {
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
}

const olderNames = /^(gpt-4(?![o.])|gpt-3\.5|text-|davinci|babbage|curie|ada)/

function encodingOf(model: string): keyof typeof encodings {
  return olderNames.test(model) ? 'cl100k' : 'o200k'
}

/** A text that spells a control token is text all the same. */
const asPlainText = { disallowedSpecial: new Set<string>() }

async function encoderFor(model: string): Promise<(piece: string) => number> {
  const encoding = await encodings[encodingOf(model)]()
  encoding.setMergeCacheSize(0)
  return (piece) => encoding.countTokens(piece, asPlainText)
}

export interface CountingPlan {
  readonly pieces: readonly string[]
  /** Tokens guessed for what lies beyond the exact part. */
  readonly estimated: number
}

/** Cuts before a space where there is one near the end, and never through a surrogate pair. */
function cutAfter(window: string): number {
  if (window.length < pieceLength) return window.length
  const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'))
  if (space > pieceLength / 2) return space
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length
}

/** Divides texts into pieces an encoder can take, as many as may be counted exactly. */
export function planCounting(texts: readonly string[]): CountingPlan {
  const pieces: string[] = []
  let left = exactLength
  let estimated = 0
  for (const text of texts) {
    const exact = text.slice(0, left)
    left -= exact.length
    estimated += estimateTokens(text.slice(exact.length))
    for (let start = 0; start < exact.length; ) {
      const window = exact.slice(start, start + pieceLength)
      const length = cutAfter(window)
      pieces.push(window.slice(0, length))
      start += length
    }
  }
  return { pieces, estimated }
}

export async function countTokens(text: string | readonly string[], model: string): Promise<number> {
  const { pieces, estimated } = planCounting(typeof text === 'string' ? [text] : text)
  if (pieces.length === 0) return estimated
  const encode = await encoderFor(model)
  let sum = estimated
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && index % piecesAtOnce === 0) await othersTurn()
    sum += encode(piece)
  }
  return Math.ceil(sum * timesOpenaiTokens(model))
}

/** Input tokens of a conversation, counted as OpenAI does. */
export async function countChat(messages: readonly CountableMessage[], model: string): Promise<number> {
  return (await countTokens(chatTexts(messages), model)) + chatOverhead(messages, model)
}
