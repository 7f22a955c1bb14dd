import { type AnswerHead, MalformedAnswer } from './http-response.ts'

/** How the end of a body is told: after so many bytes, by chunks, or by the end of the connection. */
export type Framing =
  | { readonly by: 'length'; readonly bytes: number }
  | { readonly by: 'chunks' }
  | { readonly by: 'close' }

export interface ParsedHead extends AnswerHead {
  readonly framing: Framing
  /** Whether the connection may carry another request afterwards. */
  readonly keepAlive: boolean
  /** For how long the upstream keeps it, in milliseconds; null when it does not say. */
  readonly keptMs: number | null
}

/** A status line and header lines, without folded or empty ones. */
const wellFormed = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n\0]*)?(?:\r\n[!#$%&'*+\-.^_`|~\w]+:[^\r\n\0]*)*$/

/** Reads everything before the empty line. Strict where leniency would let two sides disagree on where an answer ends. */
export function parseHead(text: string): ParsedHead {
  if (!wellFormed.test(text)) throw new MalformedAnswer('the answer does not begin like HTTP/1.1')
  const lowered = text.toLowerCase()
  const status = Number(text.slice(9, 12))
  const framing = framingOf(status, text, lowered)
  const connection = valueIn(text, lowered, 'connection')
  const persists = text.startsWith('HTTP/1.1') && !connection?.toLowerCase().includes('close')
  return {
    status,
    header: (name) => valueIn(text, lowered, name),
    framing,
    keepAlive: persists && framing.by !== 'close',
    keptMs: keptMsOf(valueIn(text, lowered, 'keep-alive')),
  }
}

/** A request must not arrive at the moment the upstream closes: a second less than it says. */
function keptMsOf(keepAlive: string | null): number | null {
  const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(keepAlive ?? '')?.[1]
  return seconds === undefined ? null : (Number(seconds) - 1) * 1000
}

/** The first line with this name. Names are found in lower case, values given as they were sent. */
function valueIn(text: string, lowered: string, name: string): string | null {
  const at = lowered.indexOf(`\n${name}:`)
  if (at < 0) return null
  const end = text.indexOf('\r', at)
  return text.slice(at + name.length + 2, end < 0 ? undefined : end).replace(/^[ \t]+|[ \t]+$/g, '')
}

/** What an end depends on must be said once: two sides could believe different lines. */
function onlyValueIn(text: string, lowered: string, name: string): string | null {
  const line = `\n${name}:`
  if (lowered.indexOf(line) !== lowered.lastIndexOf(line)) throw unclear()
  return valueIn(text, lowered, name)
}

const unclear = () => new MalformedAnswer('the end of the body is unclear')

function framingOf(status: number, text: string, lowered: string): Framing {
  if (status === 204 || status === 304) return { by: 'length', bytes: 0 }
  const coding = onlyValueIn(text, lowered, 'transfer-encoding')
  const length = onlyValueIn(text, lowered, 'content-length')
  if (coding !== null) {
    if (length !== null || coding.toLowerCase() !== 'chunked') throw unclear()
    return { by: 'chunks' }
  }
  if (length === null) return { by: 'close' }
  if (!/^\d{1,15}$/.test(length)) throw unclear()
  return { by: 'length', bytes: Number(length) }
}
