import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'

interface Kept {
  readonly bytes: Uint8Array
  readonly shown: JsonObject
}

interface BatchLine {
  readonly key: string
  readonly model: string
}

export interface Batch {
  readonly lines: readonly BatchLine[]
  shown: JsonObject
}

/** What a vendor keeps, under ids that count up. */
export interface Shelf {
  readonly files: Map<string, Kept>
  readonly batches: Map<string, Batch>
  /** What each answered line reports to have used. */
  usage: { input: number; output: number }
  /** Parts of what is being uploaded. */
  pieces: Uint8Array[]
  next(): number
  keep(id: string, bytes: Uint8Array, shown: JsonObject): JsonObject
  /** The lines of a file, parsed. */
  linesIn(id: string): JsonObject[]
}

/** How a vendor answers a request, and how it ends a batch of its own. */
export interface Filing {
  serve(request: Request, url: URL): Promise<Response>
  end(id: string, batch: Batch, status: string, answered: readonly BatchLine[]): void
}

export const notFound = () => Response.json({ error: { message: 'no such thing', code: 404 } }, { status: 404 })

export const jsonl = (lines: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'))

export function createShelf(): Shelf {
  let serial = 0
  const files = new Map<string, Kept>()
  return {
    files,
    batches: new Map(),
    usage: { input: 10, output: 5 },
    pieces: [],
    next: () => ++serial,
    keep(id, bytes, shown) {
      files.set(id, { bytes, shown })
      return shown
    },
    linesIn: (id) =>
      new TextDecoder()
        .decode(files.get(id)?.bytes)
        .split('\n')
        .filter(Boolean)
        .map((line) => objectOf(parseJson(line)) ?? {}),
  }
}

/** The batches whose ids begin so, the newest first. */
export const listed = ({ batches }: Shelf, beginning: string): JsonObject[] =>
  [...batches]
    .filter(([id]) => id.startsWith(beginning))
    .map(([, batch]) => batch.shown)
    .reverse()

/** What is kept under an id: read, fetched, deleted, cancelled. */
export function common({ files, batches }: Shelf, method: string, path: string, cancelling: string): Response {
  const [, id = '', tail] = /^\/v1\/(?:messages\/)?((?:files|batches)\/[^/:]+)(?:[/:](.+))?$/.exec(path) ?? []
  const [room, bare = ''] = id.split('/')
  const key = [id, bare].find((one) => files.has(one) || batches.has(one)) ?? ''
  const file = files.get(key)
  const batch = batches.get(key)
  if (method === 'DELETE') {
    files.delete(key)
    batches.delete(key)
    return Response.json({ id: key, deleted: true, type: `${room}_deleted` })
  }
  if (tail === 'cancel' && batch) {
    batch.shown = { ...batch.shown, status: cancelling, processing_status: cancelling }
    return Response.json(batch.shown)
  }
  const type = { headers: { 'content-type': 'application/octet-stream' } }
  if (tail && file) return new Response(file.bytes as BodyInit, type)
  const shown = file?.shown ?? batch?.shown
  return shown ? Response.json(shown) : notFound()
}
