import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { common, type Filing, jsonl, listed, type Shelf } from './shelf.ts'

function addFile(shelf: Shelf, bytes: Uint8Array, mimeType: string): Response {
  const name = `files/${shelf.next()}`
  const uri = `https://generativelanguage.googleapis.com/v1beta/${name}`
  const shown = { name, uri, mimeType, sizeBytes: String(bytes.length), state: 'ACTIVE' }
  return Response.json({ file: shelf.keep(name, bytes, shown) }, { headers: { 'x-goog-upload-status': 'final' } })
}

async function upload(shelf: Shelf, request: Request, url: URL): Promise<Response> {
  const { headers } = request
  const command = headers.get('x-goog-upload-command') ?? ''
  const active = { 'x-goog-upload-status': 'active' }
  if (command === 'start') {
    shelf.pieces = []
    const back = `${url.origin}/resumable?type=${headers.get('x-goog-upload-header-content-type')}`
    return Response.json({}, { headers: { ...active, 'x-goog-upload-url': back } })
  }
  if (url.pathname !== '/resumable') return addFile(shelf, await request.bytes(), 'text/plain')
  shelf.pieces.push(await request.bytes())
  if (!command.includes('finalize')) return new Response('', { headers: active })
  return addFile(shelf, new Uint8Array(Buffer.concat(shelf.pieces)), url.searchParams.get('type') ?? '')
}

async function addBatch(shelf: Shelf, request: Request, model: string): Promise<Response> {
  const { batch } = (await request.json()) as { batch: JsonObject }
  const config = objectOf(batch.inputConfig) ?? objectOf(batch.input_config) ?? {}
  const file = textOf(config.fileName) ?? textOf(config.file_name)
  const asked = file ? shelf.linesIn(file) : arrayOf(objectOf(config.requests)?.requests)
  const name = `batches/${shelf.next()}`
  const { displayName } = batch
  const metadata = {
    model: `models/${model}`,
    state: 'BATCH_STATE_PENDING',
    inFile: file !== undefined,
    displayName,
  }
  const lines = asked.map((line) => ({ key: textOf(objectOf(line)?.key) ?? '', model }))
  shelf.batches.set(name, { lines, shown: { name, metadata } })
  return Response.json({ name, metadata })
}

export const geminiFiling = (shelf: Shelf): Filing => ({
  async serve(request, url) {
    const path = url.pathname
    if (path === '/resumable' || path === '/upload/v1beta/files') return upload(shelf, request, url)
    const [, model] = /^\/v1beta\/models\/(.+):batchGenerateContent$/.exec(path) ?? []
    if (model) return addBatch(shelf, request, model)
    if (path === '/v1beta/batches') return Response.json({ operations: listed(shelf, 'batches/') })
    const plain = path.replace('/v1beta/', '/v1/').replace(':cancel', '/cancel')
    return common(shelf, request.method, plain, 'BATCH_STATE_CANCELLED')
  },
  end(_, batch, status, answered) {
    const { input, output } = shelf.usage
    const response = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    }
    const metadata = objectOf(batch.shown.metadata)
    const name = `files/${shelf.next()}`
    if (metadata?.inFile) shelf.keep(name, jsonl(answered.map(({ key }) => ({ key, response }))), { name, uri: name })
    const made = metadata?.inFile
      ? { responsesFile: name }
      : { inlinedResponses: { inlinedResponses: answered.map(() => ({ response })) } }
    const state = `BATCH_STATE_${status}`
    batch.shown = { ...batch.shown, done: true, metadata: { ...metadata, state, output: made }, response: made }
  },
})
