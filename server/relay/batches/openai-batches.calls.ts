import { objectOf, textOf } from '#server/lib/json.ts'
import { heldIn, keepThing, ownThings } from '#server/relay/files/file-store.ts'
import { openaiPage } from '#server/relay/files/pages.ts'
import { beginWork } from '#server/relay/long-work/begin.ts'
import { show } from '#server/relay/lookups/show.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import { readJsonObject } from '#server/relay/request/ask.ts'
import { hasLongBody, readText } from '#server/relay/request/body.ts'
import type { Call } from '#server/relay/request/call.ts'
import { askChannel, askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { batchDays, batchHours } from './batch-facts.ts'
import { linesOf } from './lines.ts'
import { batchEndpoints, inputLine, openaiBatch, openaiFile } from './openai-batches.ts'
import { batchNow } from './own-batches.ts'
import { requireOwn } from './own-references.ts'
import { createQuote } from './quote.ts'

/** Vendors may take a minute to begin. */
const beginningMs = 120_000

const create: Call['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  if (hasLongBody(inbound)) await requirePurse(context, caller)
  const body = readJsonObject(await readText(inbound))
  const endpoint = textOf(body.endpoint) ?? ''
  if (!Object.hasOwn(batchEndpoints, endpoint))
    throw refuse('batchEndpoint', { known: Object.keys(batchEndpoints).join(', ') })
  const file = await mine(context, caller, 'file', textOf(body.input_file_id) ?? '')
  const channel = await keeperOf(context, file)
  const quote = await createQuote(context, caller, channel)
  let number = 0
  for await (const text of linesOf(await openaiFile(context, channel, file.id, inbound.http.signal)))
    await quote.add(inputLine(text, ++number, endpoint))
  await requireOwn(context, caller, quote.references(), file)
  const plan = { kind: 'openai-batch', channel, parts: quote.parts(), more: quote.facts(), hoursMost: batchHours }
  const { batch } = await beginWork(context, { inbound, caller }, plan, async () => {
    const question = { method: 'POST', path: '/batches', body } as const
    const made = objectOf(await askChannel(context, channel, question, AbortSignal.timeout(beginningMs))) ?? {}
    const vendorId = textOf(made.id)
    if (!vendorId) throw refuse('upstreamFailed')
    await keepThing(context, heldIn(context, caller.userId, channel), { kind: 'batch', thing: made, days: batchDays })
    return { vendorId, batch: made }
  })
  return show(batch)
}

const list: Call['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  return show(openaiPage(await ownThings(context, caller, 'batch'), inbound.url.searchParams, 20))
}

const read: Call['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'batch', id)
  return show(await batchNow(context, inbound, openaiBatch, row))
}

const cancel: Call['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'batch', id)
  const answer = await askKeeper(context, inbound, row, { method: 'POST', path: `/batches/${id}/cancel` })
  return show(
    openaiBatch.state(objectOf(answer) ?? {}) === 'running'
      ? answer
      : await batchNow(context, inbound, openaiBatch, row),
  )
}

export const openaiBatchCalls: readonly Call[] = [
  { method: 'POST', path: '/v1/batches', serve: create },
  { method: 'GET', path: '/v1/batches', serve: list },
  { method: 'GET', path: '/v1/batches/{id}', serve: read },
  { method: 'POST', path: '/v1/batches/{id}/cancel', serve: cancel },
]
