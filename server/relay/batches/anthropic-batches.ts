import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { amountOf, arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { keepThing, keptBy } from '#server/relay/files/file-store.ts'
import { workerOf } from '#server/relay/long-work/look.ts'
import { askList, isNear } from '#server/relay/long-work/vendor-list.ts'
import type { Work, WorkKind } from '#server/relay/long-work/work.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { type BatchFacts, batchDays, readingMs, withKey } from './batch-facts.ts'
import { resultsOf } from './lines.ts'
import { createTally } from './tally.ts'

export const anthropicPath = (id: string): string => `/messages/batches/${id}`

/** The results of a batch as they come. */
export function anthropicResults(
  context: RelayContext,
  channel: RoutedChannel,
  { id, headers }: { readonly id: string; readonly headers: Readonly<Record<string, string>> },
  gone: AbortSignal,
): Promise<Response> {
  const call = storedCall(channel, `${anthropicPath(id)}/results`, headers)
  return streamVendor(context, channel, { method: 'GET', call }, gone)
}

async function used(context: RelayContext, work: Work, batch: JsonObject) {
  const tally = createTally(work)
  // Every result the user can fetch is paid, whatever the vendor's counts say.
  if (batch.results_url || amountOf(objectOf(batch.request_counts)?.succeeded ?? 1) > 0) {
    const channel = await workerOf(context, work)
    const asked = { id: work.vendor_id, headers: {} }
    const file = await anthropicResults(context, channel, asked, AbortSignal.timeout(readingMs))
    for await (const line of resultsOf(file)) {
      const result = objectOf(line.result)
      if (result?.type === 'succeeded') await tally.add(textOf(line.custom_id) ?? '', result.message, anthropicMessages)
    }
  }
  return tally.used()
}

async function keep(context: RelayContext, work: Work, batch: JsonObject): Promise<void> {
  const held = keptBy(work)
  await keepThing(context, held, { kind: 'anthropic-batch', thing: batch, days: batchDays, madeAt: work.created_at })
}

/** A batch in Anthropic's list is recognised by its time and number of lines; the keys of its lines are shown only when it has ended. */
const find: NonNullable<WorkKind['find']> = async (context, work, isNew) => {
  const channel = await workerOf(context, work)
  const { lines, keysMark } = work.facts.more as BatchFacts
  const list = await askList(context, channel, '/messages/batches?limit=100')
  let isUnsure = false
  for (const entry of arrayOf(list.data)) {
    const batch = objectOf(entry) ?? {}
    const id = textOf(batch.id) ?? ''
    const total = Object.values(objectOf(batch.request_counts) ?? {}).reduce<number>((sum, n) => sum + amountOf(n), 0)
    if (total !== lines || !isNear(batch.created_at, work.created_at) || !(await isNew(id))) continue
    if (batch.processing_status !== 'ended') isUnsure = true
    else if ((await markOf(context, channel, id)) === keysMark) return { answer: batch }
  }
  return isUnsure ? 'unsure' : 'none'
}

async function markOf(context: RelayContext, channel: RoutedChannel, id: string): Promise<bigint> {
  let mark = 0n
  const results = await anthropicResults(context, channel, { id, headers: {} }, AbortSignal.timeout(readingMs))
  for await (const line of resultsOf(results)) mark = withKey(mark, textOf(line.custom_id) ?? '')
  return mark
}

export const anthropicBatch: WorkKind = {
  name: 'anthropic-batch',
  idOf: ({ id }) => textOf(id),
  find,
  path: anthropicPath,
  state({ processing_status, request_counts }) {
    if (processing_status !== 'ended') return 'running'
    const counts = objectOf(request_counts)
    return amountOf(counts?.canceled) + amountOf(counts?.expired) > 0 ? 'cut' : 'done'
  },
  used,
  keep,
}
