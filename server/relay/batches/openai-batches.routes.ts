import { type JsonObject, textOf } from '#server/lib/json.ts'
import { errorFault } from '#server/relay/error-fault.ts'
import { ownThings, thingOf } from '#server/relay/files/file-store.ts'
import { beginningMs, beginWork } from '#server/relay/long-work/begin.ts'
import { workNow } from '#server/relay/long-work/work-now.ts'
import { show } from '#server/relay/lookups/show.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { admitBody } from '#server/relay/settlement/admit-body.ts'
import type { StateRow } from '#server/relay/state/state.store.ts'
import { askChannel, askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { openaiPage } from '#server/relay/stored/pages.ts'
import { batchHours } from './batch-facts.ts'
import { linesOf } from './lines.ts'
import { oneQuote } from './one-quote.ts'
import {
  batchEndpoints,
  inputLine,
  type OpenaiBatchFacts,
  openaiBatch,
  openaiFile,
  removeFile,
} from './openai-batches.ts'
import { requireOwn } from './own-references.ts'
import { createQuote } from './quote.ts'
import { createRenaming, renamedFile } from './renamed-file.ts'

/** A file is fetched and sent again, line by line. */
const renamingMs = 600_000

const create: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  await admitBody(context, inbound, caller)
  const body = readJsonObject(await readText(inbound))
  const endpoint = textOf(body.endpoint) ?? ''
  if (!Object.hasOwn(batchEndpoints, endpoint))
    throw refuse('batchEndpoint', { known: Object.keys(batchEndpoints).join(', ') })
  const fileId = textOf(body.input_file_id)
  if (!fileId) throw refuse('batchFileMissing')
  const file = await mine(context, caller, 'file', fileId)
  const funds = await requirePurse(context, caller)
  const channel = await keeperOf(context, file)
  const { quote, renaming } = await oneQuote(caller, async () => {
    const quote = await createQuote(context, caller, channel, funds)
    const renaming = createRenaming(channel)
    let number = 0
    for await (const text of linesOf(await openaiFile(context, channel, file.id, inbound.http.signal))) {
      const line = inputLine(text, ++number, endpoint)
      await quote.add(line)
      renaming.add(text, line.body.model)
    }
    await requireOwn(context, caller, quote.references(), file)
    return { quote, renaming }
  })
  const given = file.id
  const bytes = renaming.bytes()
  const sent =
    bytes === 0 ? given : await renamedFile(context, channel, { id: given, bytes }, AbortSignal.timeout(renamingMs))
  const more: OpenaiBatchFacts = { ...quote.facts(), inputFile: { given, sent } }
  const plan = { kind: openaiBatch, channel, parts: quote.parts(), more, hoursMost: batchHours }
  const question = { method: 'POST', path: '/batches', body: { ...body, input_file_id: sent } } as const
  const start = () => askChannel(context, channel, question, AbortSignal.timeout(beginningMs))
  try {
    const { answer, headers } = await beginWork(context, { inbound, caller }, plan, start)
    return show({ ...answer, input_file_id: given }, headers)
  } catch (error) {
    // The batch may exist although its answer was lost, so its file stays.
    if (sent !== given && errorFault(error).status < 500) await removeFile(context, channel, sent)
    throw error
  }
}

/** A batch reads the file its user named. */
const shown = (context: RelayContext, row: StateRow, batch: JsonObject): Response =>
  show({ ...batch, input_file_id: thingOf(context, row).input_file_id ?? batch.input_file_id })

const list: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  return show(await openaiPage(ownThings(context, caller, 'batch'), inbound.url.searchParams, 20))
}

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'batch', id)
  return shown(context, row, await workNow(context, inbound, openaiBatch, row))
}

const cancel: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'batch', id)
  const answer = await askKeeper(context, inbound, row, { method: 'POST', path: `/batches/${id}/cancel` })
  const isRunning = openaiBatch.state(answer) === 'running'
  return shown(context, row, isRunning ? answer : await workNow(context, inbound, openaiBatch, row))
}

export const openaiBatchRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/batches', admission: 'held', serve: create },
  { method: 'GET', path: '/v1/batches', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1/batches/{id}', admission: 'counted', serve: read },
  { method: 'POST', path: '/v1/batches/{id}/cancel', admission: 'counted', serve: cancel },
]
