import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { common, type Filing, jsonl, listed, type Shelf } from './shelf.ts'

async function addFile(shelf: Shelf, request: Request): Promise<Response> {
  const form = await request.formData()
  const file = form.get('file') as File
  const created_at = shelf.next()
  const id = `file-${created_at}`
  const shown = { id, object: 'file', bytes: file.size, created_at, filename: file.name, purpose: form.get('purpose') }
  return Response.json(shelf.keep(id, await file.bytes(), { ...shown, status: 'processed' }))
}

async function addBatch(shelf: Shelf, request: Request): Promise<Response> {
  const asked = (await request.json()) as JsonObject
  const created_at = shelf.next()
  const id = `batch_${created_at}`
  const lines = shelf.linesIn(textOf(asked.input_file_id) ?? '').map((line) => ({
    key: textOf(line.custom_id) ?? '',
    model: textOf(objectOf(line.body)?.model) ?? '',
  }))
  const shown = { id, object: 'batch', ...asked, status: 'validating', created_at, output_file_id: null }
  shelf.batches.set(id, { lines, shown })
  return Response.json(shown)
}

async function uploadStep(shelf: Shelf, request: Request, upload: string, step: string): Promise<Response> {
  if (step === 'parts') {
    const data = (await request.formData()).get('data') as File
    shelf.pieces.push(await data.bytes())
    return Response.json({ id: `part_${shelf.pieces.length}`, object: 'upload.part', upload_id: upload })
  }
  const bytes = new Uint8Array(Buffer.concat(shelf.pieces))
  const created_at = shelf.next()
  const shown = { id: `file-${created_at}`, object: 'file', bytes: bytes.length, created_at, filename: 'parts' }
  const file = shelf.keep(shown.id, bytes, { ...shown, purpose: 'batch' })
  return Response.json({ id: upload, object: 'upload', status: 'completed', file })
}

export const openaiFiling = (shelf: Shelf): Filing => ({
  async serve(request, { pathname: path }) {
    const { method } = request
    if (method === 'POST' && path === '/v1/files') return addFile(shelf, request)
    if (method === 'POST' && path === '/v1/batches') return addBatch(shelf, request)
    if (method === 'POST' && path === '/v1/uploads') {
      shelf.pieces = []
      const asked = (await request.json()) as JsonObject
      return Response.json({ id: `upload_${shelf.next()}`, object: 'upload', status: 'pending', ...asked })
    }
    const [, upload, step] = /^\/v1\/uploads\/([^/]+)\/(\w+)$/.exec(path) ?? []
    if (upload && step) return uploadStep(shelf, request, upload, step)
    if (path === '/v1/batches') return Response.json({ data: listed(shelf, 'batch_'), has_more: false })
    return common(shelf, method, path, 'cancelling')
  },
  end(_, batch, status, answered) {
    const { input, output } = shelf.usage
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    const response = { status_code: 200, body: { id: 'chatcmpl-1', object: 'chat.completion', choices, usage } }
    const created_at = shelf.next()
    const id = `file-${created_at}`
    const bytes = jsonl(answered.map(({ key }) => ({ custom_id: key, response, error: null })))
    shelf.keep(id, bytes, { id, object: 'file', purpose: 'batch_output', created_at })
    batch.shown = { ...batch.shown, status, output_file_id: answered.length > 0 ? id : null }
  },
})
