import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { longListValuesMax } from '#server/lib/json-text.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import { heldIn, ownThings } from '#server/relay/files/file-store.ts'
import { geminiBytes } from '#server/relay/files/gemini-files.routes.ts'
import { beginningMs, beginWork } from '#server/relay/long-work/begin.ts'
import { workNow } from '#server/relay/long-work/work-now.ts'
import { show } from '#server/relay/lookups/show.ts'
import { type Funds, requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { geminiChat } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { admitBody } from '#server/relay/settlement/admit-body.ts'
import { dropState, type StateRow } from '#server/relay/state/state.store.ts'
import { withVendorAddresses } from '#server/relay/state/vendor-addresses.ts'
import { askChannel, askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { geminiPage } from '#server/relay/stored/pages.ts'
import { batchHours, refuseManyLines } from './batch-facts.ts'
import { type GeminiBatchFacts, geminiBatch } from './gemini-batches.ts'
import { channelFor } from './holder.ts'
import { linesOf, readLine } from './lines.ts'
import { oneQuote } from './one-quote.ts'
import { requireOwn } from './own-references.ts'
import { type BatchLine, createQuote } from './quote.ts'

const nameOf = (id: string) => `batches/${id}`

/** A line that asks another model than its batch would be paid at the wrong price. */
function lineOf(wish: JsonObject | undefined, number: number, model: string, key: string): BatchLine {
  const refused = (why: string) => refuse('batchLine', { line: number, why })
  if (!wish) throw refused('it has no request')
  const own = textOf(wish.model)?.replace(/^models\//, '')
  if (own !== undefined && own !== model) throw refused(`its model is not ${model}`)
  const { model: _, ...body } = wish
  return {
    key,
    entrance: { door: geminiChat, model, stream: false },
    text: JSON.stringify(body),
    body: body as JsonBody,
  }
}

/** The questions of a batch: those that came with it, or the name of the file they are in. */
interface Input {
  readonly inline: readonly JsonObject[]
  readonly file: string | undefined
  /** The other fields of the request. */
  readonly batch: JsonObject
}

function inputOf(body: JsonBody, model: string): Input {
  const { inputConfig, input_config, model: named, ...batch } = objectOf(body.batch) ?? {}
  if (named !== undefined && textOf(named)?.replace(/^models\//, '') !== model) throw refuse('batchModel', { model })
  const config = objectOf(inputConfig) ?? objectOf(input_config)
  const file = textOf(config?.fileName) ?? textOf(config?.file_name)
  const requests = arrayOf(objectOf(config?.requests)?.requests)
  refuseManyLines(requests.length)
  const inline = requests.map((entry) => objectOf(entry) ?? {})
  return { inline: file === undefined ? inline : [], file, batch }
}

/** The body with every field under one name only, so that Google reads what was priced. */
const sentBody = ({ inline, file, batch }: Input, lines: readonly BatchLine[]): JsonBody => {
  const requests = inline.map(({ metadata }, at) => ({
    request: lines[at]?.body,
    ...(metadata === undefined ? {} : { metadata }),
  }))
  const inputConfig = file === undefined ? { requests: { requests } } : { fileName: file }
  return { batch: { ...batch, inputConfig } } as unknown as JsonBody
}

interface Questions {
  readonly model: string
  readonly inline: readonly JsonObject[]
  /** Of the file they are in. */
  readonly row: StateRow | undefined
}

interface Payer {
  readonly inbound: InboundRequest
  readonly caller: Caller
  readonly funds: Funds
}

/** What the questions may cost at most, and who takes them. */
async function quoted(context: RelayContext, { inbound, caller, funds }: Payer, { model, inline, row }: Questions) {
  const pace = createPace()
  const lines: BatchLine[] = []
  for (const { request } of inline) {
    lines.push(lineOf(objectOf(request), lines.length + 1, model, ''))
    if (pace.isDue()) await pace.giveWay()
  }
  const channel = row
    ? await keeperOf(context, row)
    : await channelFor(context, caller, { store: 'gemini-files', lines, models: [model] })
  const quote = await createQuote(context, caller, channel, funds)
  for (const line of lines) await quote.add(line)
  if (row) {
    let number = 0
    for await (const each of linesOf(await geminiBytes(context, channel, row.id, inbound.http.signal)))
      await quote.add(fileLine(each, ++number, model, channel))
  }
  const holder = heldIn(context, caller.userId, channel)
  const keeper = { channel_id: channel.id, key_hash: holder.keyHash }
  return { channel, quote, lines, rows: await requireOwn(context, caller, quote.references(), keeper) }
}

/** A line of a file, which goes to Google as it is. */
function fileLine(text: string, number: number, model: string, { mapping }: RoutedChannel): BatchLine {
  const line = readLine(text, number)
  const wish = objectOf(line.request)
  if (wish?.model !== undefined && mapping.has(model))
    throw refuse('batchLine', { line: number, why: `it names a model: leave it to the address, which says ${model}` })
  const key = textOf(line.key)
  // Answers that cannot be distinguished cannot be paid at the price of their question.
  if (!key) throw refuse('batchLine', { line: number, why: 'it has no key' })
  return lineOf(wish, number, model, key)
}

const create: RelayRoute['serve'] = async (context, inbound, { model: named = '' }) => {
  const caller = await context.callers.identify(inbound)
  await admitBody(context, inbound, caller)
  const body = readJsonObject(await readText(inbound), longListValuesMax)
  const model = decoded(named)
  const input = inputOf(body, model)
  const row = input.file === undefined ? undefined : await mine(context, caller, 'gemini-file', input.file)
  const funds = await requirePurse(context, caller)
  const { channel, quote, lines, rows } = await oneQuote(caller, () =>
    quoted(context, { inbound, caller, funds }, { model, inline: input.inline, row }),
  )
  const upstream = channel.mapping.get(model) ?? model
  const displayName = textOf(input.batch.displayName) ?? textOf(input.batch.display_name) ?? ''
  const more: GeminiBatchFacts = { ...quote.facts(), model: upstream, displayName }
  const plan = { kind: geminiBatch, channel, parts: quote.parts(), more, hoursMost: batchHours }
  const question = {
    method: 'POST',
    path: `/models/${encodeURIComponent(upstream)}:batchGenerateContent`,
    body: withVendorAddresses(context.ctx, sentBody(input, lines), rows),
  } as const
  const { answer, headers } = await beginWork(context, { inbound, caller }, plan, (through) =>
    askChannel(context, through, question, AbortSignal.timeout(beginningMs)),
  )
  return show(answer, headers)
}

const list: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  const own = ownThings(context, caller, 'gemini-batch')
  return show(await geminiPage(own, inbound.url.searchParams, 'operations'))
}

const ownRow = (context: RelayContext, caller: Caller, id: string) => mine(context, caller, 'gemini-batch', nameOf(id))

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await ownRow(context, await context.callers.identify(inbound), id)
  return show(await workNow(context, inbound, geminiBatch, row))
}

const cancel: RelayRoute['serve'] = async (context, inbound: InboundRequest, { id = '' }) => {
  const row = await ownRow(context, await context.callers.identify(inbound), id)
  return show(await askKeeper(context, inbound, row, { method: 'POST', path: `/${row.id}:cancel`, body: {} }))
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await ownRow(context, await context.callers.identify(inbound), id)
  const now = await workNow(context, inbound, geminiBatch, row)
  if (geminiBatch.state(now) === 'running') throw refuse('batchRuns')
  const answer = await askKeeper(context, inbound, row, { method: 'DELETE', path: `/${row.id}` })
  await dropState(context.ctx.database.db, row.user_id, row.id)
  return show(answer)
}

export const geminiBatchRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1beta/models/{model}:batchGenerateContent', admission: 'held', serve: create },
  { method: 'GET', path: '/v1beta/batches', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1beta/batches/{id}', admission: 'counted', serve: read },
  { method: 'POST', path: '/v1beta/batches/{id}:cancel', admission: 'counted', serve: cancel },
  { method: 'DELETE', path: '/v1beta/batches/{id}', admission: 'counted', serve: remove },
]
