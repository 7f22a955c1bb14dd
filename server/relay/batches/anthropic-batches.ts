import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { amountOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { providerOf } from '#server/providers/index.ts'
import { keepThing } from '#server/relay/files/file-store.ts'
import { workerOf } from '#server/relay/long-work/look.ts'
import type { Work, WorkKind } from '#server/relay/long-work/work.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { batchDays } from './batch-facts.ts'
import { linesOf } from './lines.ts'
import { createTally } from './tally.ts'

export const anthropicPath = (id: string): string => `/messages/batches/${id}`

/** The results of a batch as they come. */
export function anthropicResults(
  context: RelayContext,
  channel: RoutedChannel,
  { id, headers }: { readonly id: string; readonly headers: Readonly<Record<string, string>> },
  gone: AbortSignal,
): Promise<Response> {
  const known = providerOf(channel.type).stored?.call(channel, `${anthropicPath(id)}/results`)
  if (!known) throw refuse('stateGone')
  const call = { ...known, headers: { ...known.headers, ...headers } }
  return streamVendor(context, channel, { method: 'GET', call }, gone)
}

const readingMs = 30 * 60_000

async function used(context: RelayContext, work: Work, batch: JsonObject) {
  const tally = createTally(work)
  if (amountOf(objectOf(batch.request_counts)?.succeeded ?? 1) > 0) {
    const channel = await workerOf(context, work)
    const asked = { id: work.vendor_id, headers: {} }
    const file = await anthropicResults(context, channel, asked, AbortSignal.timeout(readingMs))
    for await (const text of linesOf(file)) {
      const line = objectOf(parseJson(text))
      const result = objectOf(line?.result)
      if (line && result?.type === 'succeeded')
        await tally.add(textOf(line.custom_id) ?? '', result.message, anthropicMessages)
    }
  }
  return tally.used()
}

async function keep(context: RelayContext, work: Work, batch: JsonObject): Promise<void> {
  const held = { userId: work.user_id, channelId: work.channel_id, keyHash: work.key_hash }
  await keepThing(context, held, { kind: 'anthropic-batch', thing: batch, days: batchDays, madeAt: work.created_at })
}

export const anthropicBatch: WorkKind = {
  path: anthropicPath,
  state({ processing_status, request_counts }) {
    if (processing_status !== 'ended') return 'running'
    const counts = objectOf(request_counts)
    return amountOf(counts?.canceled) + amountOf(counts?.expired) > 0 ? 'cut' : 'done'
  },
  used,
  keep,
}
