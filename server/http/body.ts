import { DeclaredBytes } from '#server/lib/streams/declared-bytes.ts'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from './listen.ts'

/** How often the connection's timeout is renewed while bytes arrive. */
const reportEveryMs = 1000

/** Waits until a body that has become as long as this may go on. */
export type MakeRoom = (bytes: number) => Promise<void> | undefined

const enough = (): undefined => undefined

/** Reads the body; null as soon as it exceeds the limit. It is in memory once where its length is declared. */
export async function readBodyBytes(
  request: Request,
  bytesMax: number,
  connection: ClientConnection,
  makeRoom: MakeRoom = enough,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > bytesMax) return null
  if (!request.body) return new Uint8Array()
  const arrived = declared > 0 ? new DeclaredBytes(declared) : new Pieces()
  let reportedAt = performance.now()
  connection.bodyArrives()
  for await (const piece of request.body) {
    if (arrived.size + piece.length > bytesMax) return null
    arrived.add(piece)
    const room = makeRoom(arrived.size)
    if (room) {
      connection.answering()
      await room
      connection.bodyArrives()
    }
    if (performance.now() - reportedAt < reportEveryMs) continue
    reportedAt = performance.now()
    connection.bodyArrives()
  }
  connection.answering()
  return ownBytes(arrived.take())
}

/** Short buffers share their memory with others. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)

/** Reads the body as text; refused as soon as it exceeds the limit. */
export async function readBodyText(request: Request, bytesMax: number, connection: ClientConnection): Promise<string> {
  const bytes = await readBodyBytes(request, bytesMax, connection).catch((cause) => {
    throw new AppError('request.incomplete', {}, { cause })
  })
  if (!bytes) throw new AppError('request.too_large')
  return new TextDecoder().decode(bytes)
}
