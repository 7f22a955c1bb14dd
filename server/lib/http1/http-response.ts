import { Pieces } from '#server/lib/streams/pieces.ts'

/** An upstream broke the rules of HTTP: nothing more can be read from its connection. */
export class MalformedAnswer extends Error {}

/** The answer is longer than allowed. */
export class AnswerTooLong extends Error {
  constructor() {
    super('the answer is too long')
  }
}

/** How a body is read whole. */
export interface BodyReading {
  /** More bytes than this fail; 32 MB by default. */
  readonly bytesMax?: number
  /** Reset whenever bytes arrive. */
  readonly watch?: { reset(): void }
}

export const wholeBytesMax = 32 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  /** The value of a header, by its name in lower case; null when there is none. */
  header(name: string): string | null
  /** The pieces of the body as they arrive; either these or `bytes`, once. */
  next(): Promise<IteratorResult<Uint8Array>>
  /** The whole body. */
  bytes(reading?: BodyReading): Promise<Buffer>
}

const decoder = new TextDecoder()

export const textIn = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Reads what comes in pieces whole. */
export async function collectBytes(
  next: HttpResponse['next'],
  { bytesMax = wholeBytesMax, watch }: BodyReading = {},
): Promise<Buffer> {
  const pieces = new Pieces()
  for (let piece = await next(); !piece.done; piece = await next()) {
    watch?.reset()
    pieces.add(piece.value)
    if (pieces.size > bytesMax) throw new AnswerTooLong()
  }
  return pieces.take()
}
