import { requestOrigin } from '#server/http/session.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { longListValuesMax } from '#server/lib/json-text.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import { heldIn, ownThings } from '#server/relay/files/file-store.ts'
import { showBytes } from '#server/relay/files/show-bytes.ts'
import { beginningMs, beginWork } from '#server/relay/long-work/begin.ts'
import { workNow } from '#server/relay/long-work/work-now.ts'
import { show } from '#server/relay/lookups/show.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import { doors } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { admitBody } from '#server/relay/settlement/admit-body.ts'
import { dropState } from '#server/relay/state/state.store.ts'
import { askChannel, askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { anthropicPage } from '#server/relay/stored/pages.ts'
import { anthropicBatch, anthropicPath, anthropicResults } from './anthropic-batches.ts'
import { batchHours, refuseManyLines } from './batch-facts.ts'
import { channelFor } from './holder.ts'
import { oneQuote } from './one-quote.ts'
import { requireOwn } from './own-references.ts'
import { type BatchLine, createQuote } from './quote.ts'

/** What Anthropic's clients say in headers about the API they speak. */
const headersOf = ({ http }: InboundRequest): Record<string, string> =>
  Object.fromEntries(
    ['anthropic-version', 'anthropic-beta'].flatMap((name) => {
      const value = http.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

/** A batch whose results are fetched here. */
function shown({ ctx }: RelayContext, { http }: InboundRequest, batch: JsonObject): JsonObject {
  const address = `${requestOrigin(ctx, http)}/v1${anthropicPath(textOf(batch.id) ?? '')}/results`
  return { ...batch, results_url: batch.results_url ? address : null }
}

interface AskedLine {
  readonly key: string
  readonly params: JsonBody
}

function linesIn(body: JsonBody): AskedLine[] {
  const requests = arrayOf(body.requests)
  refuseManyLines(requests.length)
  if (requests.length === 0) throw refuse('batchEmpty')
  return requests.map((entry, at) => {
    const { custom_id: id, params } = objectOf(entry) ?? {}
    const wish = objectOf(params)
    const key = textOf(id)
    if (!wish || !key) throw refuse('batchLine', { line: at + 1, why: 'it needs a custom_id and params' })
    return { key, params: wish as JsonBody }
  })
}

/** The lines with their texts. */
async function batchLines(lines: readonly AskedLine[]): Promise<BatchLine[]> {
  const door = doors['/v1/messages']
  if (!door) throw refuse('internal')
  const pace = createPace()
  const found: BatchLine[] = []
  for (const { key, params } of lines) {
    found.push({ key, entrance: { door }, text: JSON.stringify(params), body: params })
    if (pace.isDue()) await pace.giveWay()
  }
  return found
}

/** The body with the names the channel's vendor knows its models by. */
function mapped(body: JsonBody, lines: readonly AskedLine[], { mapping }: RoutedChannel): JsonBody {
  const upstream = ({ params }: AskedLine) => mapping.get(textOf(params.model) ?? '')
  if (lines.every((line) => upstream(line) === undefined)) return body
  const requests = lines.map((line) => ({
    custom_id: line.key,
    params: { ...line.params, model: upstream(line) ?? line.params.model },
  }))
  return { ...body, requests: requests as unknown as JsonBody['requests'] }
}

const create: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  await admitBody(context, inbound, caller)
  const body = readJsonObject(await readText(inbound), longListValuesMax)
  const asked = linesIn(body)
  const funds = await requirePurse(context, caller)
  const { channel, quote } = await oneQuote(caller, async () => {
    const lines = await batchLines(asked)
    const models = [...new Set(asked.flatMap(({ params }) => textOf(params.model) ?? []))]
    const channel = await channelFor(context, caller, { store: 'anthropic-files', lines, models })
    const quote = await createQuote(context, caller, channel, funds)
    for (const line of lines) await quote.add(line)
    const holder = heldIn(context, caller.userId, channel)
    await requireOwn(context, caller, quote.references(), { channel_id: channel.id, key_hash: holder.keyHash })
    return { channel, quote }
  })
  const plan = { kind: anthropicBatch, channel, parts: quote.parts(), more: quote.facts(), hoursMost: batchHours }
  const sent = mapped(body, asked, channel)
  const question = { method: 'POST', path: '/messages/batches', body: sent, headers: headersOf(inbound) } as const
  const { answer, headers } = await beginWork(context, { inbound, caller }, plan, (through) =>
    askChannel(context, through, question, AbortSignal.timeout(beginningMs)),
  )
  return show(shown(context, inbound, answer), headers)
}

const list: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  const own = ownThings(context, caller, 'anthropic-batch', (batch) => shown(context, inbound, batch))
  return show(await anthropicPage(own, inbound.url.searchParams))
}

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'anthropic-batch', id)
  return show(shown(context, inbound, await workNow(context, inbound, anthropicBatch, row)))
}

const results: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'anthropic-batch', id)
  await workNow(context, inbound, anthropicBatch, row)
  const channel = await keeperOf(context, row)
  return showBytes(
    inbound,
    await anthropicResults(context, channel, { id, headers: headersOf(inbound) }, inbound.http.signal),
  )
}

const cancel: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'anthropic-batch', id)
  const question = { method: 'POST', path: `${anthropicPath(id)}/cancel`, headers: headersOf(inbound) } as const
  return show(shown(context, inbound, await askKeeper(context, inbound, row, question)))
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'anthropic-batch', id)
  const now = await workNow(context, inbound, anthropicBatch, row)
  if (anthropicBatch.state(now) === 'running') throw refuse('batchRuns')
  const answer = await askKeeper(context, inbound, row, { method: 'DELETE', path: anthropicPath(id) })
  await dropState(context.ctx.database.db, row.user_id, id)
  return show(answer)
}

export const anthropicBatchRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/messages/batches', admission: 'held', serve: create },
  { method: 'GET', path: '/v1/messages/batches', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1/messages/batches/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1/messages/batches/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/v1/messages/batches/{id}/results', admission: 'counted', serve: results },
  { method: 'POST', path: '/v1/messages/batches/{id}/cancel', admission: 'counted', serve: cancel },
]
