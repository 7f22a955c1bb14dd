/** One unit of a stream, as the wire carries it. */
export interface WireFrame {
  readonly event?: string
  readonly data: string
  /** The `meta:` line some vendors add to a server-sent event. */
  readonly meta?: string
  /** Written without `data:`: Google's clients recognise an error in a stream only if it stands as bare JSON. */
  readonly bare?: boolean
}

/** Turns the bytes of a stream into frames as they arrive. Throws `FrameTooLong` when one exceeds the limit. */
export interface FrameParser {
  push(chunk: Uint8Array): WireFrame[]
  /** The stream has closed: the last frame, if it is whole though its closing line end is missing. */
  end(): WireFrame[]
}

/** True for text that was not cut in the middle: the end marker or a complete JSON value. */
export function isWhole(data: string): boolean {
  if (data === '[DONE]') return true
  if (!/^\s*[{[]/.test(data)) return false
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}
