import { type MakeRoom, readBodyBytes } from '#server/http/body.ts'
import { inTurn } from '#server/lib/in-turn.ts'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { refuseSize } from '#server/relay/refusals.ts'
import { longBytes } from './body-places.ts'
import type { InboundRequest } from './inbound-request.ts'
import { bodyBytesMax, encodingsOf, unpacked, unpackedMax } from './unpack.ts'

/** A body of this length usually arrives with its head, and needs no timeout of its own. */
const shortBytes = 64 * 1024

/** Conversations of agents are hardly longer, and cheaper to read than a purse is to look up. */
const cheapBytes = 512 * 1024

type Arriving = Pick<InboundRequest, 'http' | 'connection' | 'place'>

const isWithin = (http: Request, bytesMax: number): boolean => {
  const length = http.headers.get('content-length')
  return length !== null && Number(length) <= bytesMax
}

const isPacked = (http: Request): boolean => http.headers.has('content-encoding')

/** Whether the body may be long, as any may that is packed: then purse and limits are checked before it is read. */
export const hasLongBody = ({ http }: Pick<Arriving, 'http'>): boolean => !isWithin(http, cheapBytes) || isPacked(http)

/** A client that stops sending in the middle of a body has left. */
async function arriving<Result>({ http, connection }: Arriving, body: Promise<Result>): Promise<Result> {
  try {
    const result = await body
    connection.answering()
    return result
  } catch (error) {
    if (http.signal.aborted) throw new ClientGone()
    throw error
  }
}

/** Before its first byte a body has a place for what it declares; without a declaration one for a short body, until it is longer. */
async function placedBytes({ http, connection, place }: Arriving): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(http.headers.get('content-length') ?? longBytes)
  if (declared > bodyBytesMax) throw refuseSize(bodyBytesMax)
  connection.answering()
  await place.take(declared > longBytes && isPacked(http) ? unpackedMax(declared) : declared, http.signal)
  const makeRoom: MakeRoom = (bytes) => (bytes > place.bytes() ? place.take(bodyBytesMax, http.signal) : undefined)
  const bytes = await readBodyBytes(http, bodyBytesMax, connection, makeRoom)
  if (!bytes) throw refuseSize(bodyBytesMax)
  return bytes
}

/** The bytes of a request as they were sent. */
export async function readSentBytes(inbound: Arriving): Promise<Uint8Array<ArrayBuffer>> {
  const { http, place } = inbound
  if (isWithin(http, shortBytes)) return await arriving(inbound, http.bytes())
  const bytes = await arriving(inbound, placedBytes(inbound))
  if (!isPacked(http)) place.shrink(bytes.length)
  return bytes
}

/** The body of a request, as its client meant it. */
export async function readBytes(inbound: Arriving): Promise<Uint8Array<ArrayBuffer>> {
  const { http, place } = inbound
  const encodings = encodingsOf(http)
  let bytes = await readSentBytes(inbound)
  if (encodings.length === 0) return bytes
  const bytesMax = unpackedMax(bytes.length)
  for (const encoding of encodings) bytes = await unpackedBytes(inbound, { packed: bytes, encoding, bytesMax })
  place.shrink(bytes.length)
  return bytes
}

interface Packed {
  readonly packed: Uint8Array
  readonly encoding: string
  readonly bytesMax: number
}

/** What turns out to be long is unpacked once more when it has a place: until then only the packed bytes are kept. */
async function unpackedBytes(
  { http, place }: Arriving,
  { packed, encoding, bytesMax }: Packed,
): Promise<Uint8Array<ArrayBuffer>> {
  await place.take(longBytes, http.signal)
  const short = await collected(unpacked(packed, encoding, bytesMax), place.bytes())
  if (short) return short
  await place.take(bytesMax, http.signal)
  return (await collected(unpacked(packed, encoding, bytesMax), bytesMax)) ?? new Uint8Array()
}

/** All pieces as one; null where they are longer. */
async function collected(from: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces = new Pieces()
  for await (const piece of from) {
    pieces.add(piece)
    if (pieces.size > bytesMax) return null
  }
  return new Uint8Array(pieces.take())
}

/** The body as text. */
export async function readText(inbound: Arriving): Promise<string> {
  const { http } = inbound
  if (isWithin(http, shortBytes) && !isPacked(http)) return await arriving(inbound, http.text())
  const bytes = await readBytes(inbound)
  return bytes.length > longBytes ? await longText(bytes) : new TextDecoder().decode(bytes)
}

const decodedAtOnce = 8 * 1024 * 1024

/** The bytes are freed when they have become text. */
async function longText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  for (let at = 0; at < bytes.length; at += decodedAtOnce)
    texts.push(await inTurn(() => decoder.decode(bytes.subarray(at, at + decodedAtOnce), { stream: true })))
  bytes.buffer.transfer(0)
  return await inTurn(() => texts.join('') + decoder.decode())
}
