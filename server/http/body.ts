import { Pieces } from '#server/lib/streams/pieces.ts'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from './listen.ts'

/** How often the connection's timeout is renewed while bytes arrive. */
const reportEveryMs = 1000

/** Reads the body; null as soon as it exceeds the limit. */
export async function readBodyBytes(
  request: Request,
  bytesMax: number,
  connection: ClientConnection,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return null
  if (!request.body) return new Uint8Array()
  const pieces = new Pieces()
  let reportedAt = performance.now()
  connection.bodyArrives()
  for await (const piece of request.body) {
    pieces.add(piece)
    if (pieces.size > bytesMax) return null
    if (performance.now() - reportedAt < reportEveryMs) continue
    reportedAt = performance.now()
    connection.bodyArrives()
  }
  connection.answering()
  return new Uint8Array(pieces.take())
}

/** Reads the body as text; refused as soon as it exceeds the limit. */
export async function readBodyText(request: Request, bytesMax: number, connection: ClientConnection): Promise<string> {
  const bytes = await readBodyBytes(request, bytesMax, connection).catch((cause) => {
    throw new AppError('request.incomplete', {}, { cause })
  })
  if (!bytes) throw new AppError('request.too_large')
  return new TextDecoder().decode(bytes)
}
