import { epochSeconds } from '#server/context.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiCompletions } from '#server/dialects/openai-completions.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { amountOf, arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { fileDays, keepThing, keptBy } from '#server/relay/files/file-store.ts'
import { workerOf } from '#server/relay/long-work/look.ts'
import { askList } from '#server/relay/long-work/vendor-list.ts'
import type { Work, WorkKind } from '#server/relay/long-work/work.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { doors } from '#server/relay/request/doors.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { askChannel } from '#server/relay/stored/held-by-vendor.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { type BatchFacts, batchDays, readingMs } from './batch-facts.ts'
import { readLine, resultsOf } from './lines.ts'
import type { BatchLine } from './quote.ts'
import { createTally } from './tally.ts'

/** The endpoints of a batch and the dialect of their answers; null where an answer has no text. */
export const batchEndpoints: Readonly<Record<string, UpstreamDialect | null>> = {
  '/v1/chat/completions': openaiChat,
  '/v1/responses': openaiResponses,
  '/v1/completions': openaiCompletions,
  '/v1/embeddings': null,
  '/v1/moderations': null,
}

/** A file of OpenAI's as it comes. */
export function openaiFile(context: RelayContext, channel: RoutedChannel, id: string, gone: AbortSignal) {
  const call = storedCall(channel, `/files/${id}/content`)
  return streamVendor(context, channel, { method: 'GET', call }, gone)
}

/** A line of the input; its address must be that of the batch. */
export function inputLine(text: string, number: number, endpoint: string): BatchLine {
  const refused = (why: string) => refuse('batchLine', { line: number, why })
  const line = readLine(text, number)
  const key = textOf(line.custom_id)
  const body = objectOf(line.body)
  const door = doors[endpoint]
  if (!key) throw refused('it has no custom_id')
  if (line.url !== endpoint) throw refused(`its url is not ${endpoint}`)
  if (!body || !door) throw refused('it has no body')
  // A background response would be answered after the batch was paid.
  if (body.background) throw refused('it cannot be answered in the background')
  return { key, entrance: { door }, text, body: body as BatchLine['body'] }
}

async function used(context: RelayContext, work: Work, batch: JsonObject) {
  const tally = createTally(work)
  const output = textOf(batch.output_file_id)
  const dialect = batchEndpoints[textOf(batch.endpoint) ?? ''] ?? null
  if (output) {
    const file = await openaiFile(context, await workerOf(context, work), output, AbortSignal.timeout(readingMs))
    for await (const line of resultsOf(file)) {
      const response = objectOf(line.response)
      const isAnswered = Number(response?.status_code ?? 200) < 400 && !line.error
      if (response && isAnswered) await tally.add(textOf(line.custom_id) ?? '', response.body, dialect)
    }
  }
  return tally.used()
}

/** What a batch reads: the file its user named, and the one its vendor was sent. */
export interface OpenaiBatchFacts extends BatchFacts {
  readonly inputFile: { readonly given: string; readonly sent: string }
}

/** The batch as it is now, and the files its results are in, which are its user's. */
async function keep(context: RelayContext, work: Work, batch: JsonObject): Promise<void> {
  const held = keptBy(work)
  const { inputFile } = work.facts.more as OpenaiBatchFacts
  const thing = { ...batch, input_file_id: inputFile?.given ?? batch.input_file_id }
  await keepThing(context, held, { kind: 'batch', thing, days: batchDays, madeAt: work.created_at })
  // Results become the user's only when they are paid.
  if (openaiBatch.state(batch) === 'running') return
  const channel = await workerOf(context, work)
  if (inputFile && inputFile.sent !== inputFile.given) await removeFile(context, channel, inputFile.sent)
  for (const id of [textOf(batch.output_file_id), textOf(batch.error_file_id)]) {
    if (!id) continue
    const question = { method: 'GET', path: `/files/${id}` } as const
    const answer = await askChannel(context, channel, question, AbortSignal.timeout(10_000)).catch(() => null)
    const created_at = epochSeconds(context.ctx)
    const file = { object: 'file', purpose: 'batch_output', created_at, ...objectOf(answer), id }
    await keepThing(context, held, { kind: 'file', thing: file, days: fileDays })
  }
}

/** Deletes the copy of a file that was made for one batch; a failure does no harm. */
export async function removeFile(context: RelayContext, channel: RoutedChannel, id: string): Promise<void> {
  const question = { method: 'DELETE', path: `/files/${id}` } as const
  await askChannel(context, channel, question, AbortSignal.timeout(10_000)).catch(() => null)
}

const pagesMost = 10

/** A batch is known by the file it reads, which no other user has. */
const find: NonNullable<WorkKind['find']> = async (context, work, isNew) => {
  const channel = await workerOf(context, work)
  const file = (work.facts.more as OpenaiBatchFacts).inputFile?.sent
  let after = ''
  for (let page = 0; page < pagesMost; page += 1) {
    const path = `/batches?limit=100${after && `&after=${after}`}`
    const list = await askList(context, channel, path)
    const batches = arrayOf(list.data).map((entry) => objectOf(entry) ?? {})
    for (const batch of batches)
      if (file && batch.input_file_id === file && (await isNew(textOf(batch.id) ?? ''))) return { answer: batch }
    after = textOf(batches.at(-1)?.id) ?? ''
    if (list.has_more !== true || after === '') break
  }
  return 'none'
}

const states: Readonly<Record<string, 'done' | 'cut' | 'failed'>> = {
  completed: 'done',
  cancelled: 'cut',
  expired: 'cut',
  failed: 'failed',
}

/** The vendor counts answered lines and has not named the file of the results yet. */
const isUnnamed = ({ request_counts, output_file_id }: JsonObject): boolean =>
  amountOf(objectOf(request_counts)?.completed) > 0 && !textOf(output_file_id)

export const openaiBatch: WorkKind = {
  name: 'openai-batch',
  idOf: ({ id }) => textOf(id),
  find,
  path: (id) => `/batches/${id}`,
  state: (batch) => (isUnnamed(batch) ? 'running' : (states[textOf(batch.status) ?? ''] ?? 'running')),
  used,
  keep,
}
