import { MalformedAnswer } from './http-response.ts'

/** How the end of a body is marked: after so many bytes, by chunks, or by the end of the connection. */
export type BodyFraming = 'length' | 'chunks' | 'close'

/** A parsed head. */
export interface ParsedHead {
  readonly status: number
  readonly text: string
  /** The same in lower case, to find names in. */
  readonly lowered: string
  readonly framing: BodyFraming
  /** Of a body whose length is declared. */
  readonly bytes: number
  /** Whether the connection may carry another request afterwards. */
  readonly keepAlive: boolean
  /** For how long the upstream keeps it, in milliseconds; null when not declared. */
  readonly keptMs: number | null
}

/** A status line and header lines, without folded or empty ones. */
const wellFormed = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n\0]*)?(?:\r\n[!#$%&'*+\-.^_`|~\w]+:[^\r\n\0]*)*$/

/** Reads everything before the empty line. Strict where leniency would let two sides disagree on where an answer ends. */
export function parseHead(text: string): ParsedHead {
  if (!wellFormed.test(text)) throw new MalformedAnswer('the answer does not begin like HTTP/1.1')
  const lowered = text.toLowerCase()
  const status = Number(text.slice(9, 12))
  const bytes = lengthOf(status, text, lowered)
  const framing = bytes === null ? (lowered.includes(codingLine) ? 'chunks' : 'close') : 'length'
  const connection = valueIn(text, lowered, connectionLine)
  const persists = text.startsWith('HTTP/1.1') && !connection?.toLowerCase().includes('close')
  return {
    status,
    text,
    lowered,
    framing,
    bytes: bytes ?? 0,
    keepAlive: persists && framing !== 'close',
    keptMs: keptMsOf(valueIn(text, lowered, keptLine)),
  }
}

/** The value of a header, by its name in lower case; null when there is none. */
export const headerIn = ({ text, lowered }: ParsedHead, name: string): string | null =>
  valueIn(text, lowered, `\n${name}:`)

const connectionLine = '\nconnection:'
const keptLine = '\nkeep-alive:'
const codingLine = '\ntransfer-encoding:'
const lengthLine = '\ncontent-length:'

/** A request must not arrive at the moment the upstream closes: one second less than declared. */
function keptMsOf(keepAlive: string | null): number | null {
  const seconds = keepAlive === null ? undefined : /(?:^|[\s,])timeout=(\d{1,9})/i.exec(keepAlive)?.[1]
  return seconds === undefined ? null : (Number(seconds) - 1) * 1000
}

const tab = 9
const space = 32
const isBlank = (code: number): boolean => code === space || code === tab

/** The value of the first line with this name. Names are compared in lower case, values returned as sent. */
function valueIn(text: string, lowered: string, line: string): string | null {
  const at = lowered.indexOf(line)
  if (at < 0) return null
  const lineEnd = text.indexOf('\r', at)
  let from = at + line.length
  let end = lineEnd < 0 ? text.length : lineEnd
  while (from < end && isBlank(text.charCodeAt(from))) from += 1
  while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(from, end)
}

/** A header that frames the body must appear once: two sides could believe different lines. */
function onlyValueIn(text: string, lowered: string, line: string): string | null {
  const at = lowered.indexOf(line)
  if (at < 0) return null
  if (at !== lowered.lastIndexOf(line)) throw unclear()
  return valueIn(text, lowered, line)
}

const unclear = () => new MalformedAnswer('the end of the body is unclear')

/** The declared length of the body; null when there is none. */
function lengthOf(status: number, text: string, lowered: string): number | null {
  if (status === 204 || status === 304) return 0
  const coding = onlyValueIn(text, lowered, codingLine)
  const length = onlyValueIn(text, lowered, lengthLine)
  if (coding !== null) {
    if (length !== null || coding.toLowerCase() !== 'chunked') throw unclear()
    return null
  }
  if (length === null) return null
  if (!/^\d{1,15}$/.test(length)) throw unclear()
  return Number(length)
}
