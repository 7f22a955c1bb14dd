import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { common, type Filing, jsonl, listed, notFound, type Shelf } from './shelf.ts'

async function addFile(shelf: Shelf, request: Request): Promise<Response> {
  const file = (await request.formData()).get('file') as File
  const id = `file_${shelf.next()}`
  const shown = { id, type: 'file', filename: file.name, mime_type: file.type, size_bytes: file.size }
  const made = { ...shown, created_at: '2026-11-16T00:00:00Z', downloadable: true }
  return Response.json(shelf.keep(id, await file.bytes(), made))
}

async function addBatch(shelf: Shelf, request: Request): Promise<Response> {
  const asked = (await request.json()) as JsonObject
  const id = `msgbatch_${shelf.next()}`
  const lines = arrayOf(asked.requests).map((entry) => ({
    key: textOf(objectOf(entry)?.custom_id) ?? '',
    model: textOf(objectOf(objectOf(entry)?.params)?.model) ?? '',
  }))
  const request_counts = { processing: lines.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
  const shown = { id, type: 'message_batch', processing_status: 'in_progress', request_counts, results_url: null }
  shelf.batches.set(id, { lines, shown })
  return Response.json(shown)
}

export function anthropicFiling(shelf: Shelf): Filing {
  const results = new Map<string, Uint8Array>()
  return {
    async serve(request, { pathname: path }) {
      const { method } = request
      if (method === 'POST' && path === '/v1/files') return addFile(shelf, request)
      if (method === 'POST' && path === '/v1/messages/batches') return addBatch(shelf, request)
      const [, of] = /^\/v1\/messages\/batches\/([^/]+)\/results$/.exec(path) ?? []
      if (of) return results.has(of) ? new Response(results.get(of) as BodyInit) : notFound()
      if (path === '/v1/messages/batches') return Response.json({ data: listed(shelf, 'msgbatch_'), has_more: false })
      return common(shelf, method, path, 'canceling')
    },
    end(id, batch, status, answered) {
      const { input, output } = shelf.usage
      const usage = { input_tokens: input, output_tokens: output, service_tier: 'batch' }
      const content = [{ type: 'text', text: 'hello' }]
      const message = { id: 'm', type: 'message', role: 'assistant', content, usage }
      const done = answered.map(({ key, model }) => ({
        custom_id: key,
        result: { type: 'succeeded', message: { ...message, model } },
      }))
      const rest = batch.lines.slice(answered.length).map(({ key }) => ({ custom_id: key, result: { type: status } }))
      results.set(id, jsonl([...done, ...rest]))
      const counts = { processing: 0, succeeded: done.length, errored: 0, canceled: 0, expired: 0 }
      const request_counts = { ...counts, [status]: rest.length }
      const results_url = `https://api.anthropic.com/v1/messages/batches/${id}/results`
      batch.shown = { ...batch.shown, processing_status: 'ended', request_counts, results_url }
    },
  }
}
