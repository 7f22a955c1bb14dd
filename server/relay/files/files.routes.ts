import { epochSeconds } from '#server/context.ts'
import { type JsonObject, textOf } from '#server/lib/json.ts'
import { show } from '#server/relay/lookups/show.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { requireRoom } from '#server/relay/state/room.ts'
import { dropState, type FileKind, findState } from '#server/relay/state/state.store.ts'
import { askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { anthropicPage, endsOf, openaiPage } from '#server/relay/stored/pages.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { madeIn } from '#server/relay/upstream/vendor-thing.ts'
import type { Arriving } from './arriving.ts'
import { beginUpload, carryWithKeys } from './carry-upload.ts'
import { fileDays, heldIn, keeperFor, keepThing, ownThings, thingOf } from './file-store.ts'
import { showBytes } from './show-bytes.ts'

const betaHeader = 'anthropic-beta'
const filesBeta = 'files-api-2025-04-14'

/** OpenAI and Anthropic share the paths of files; only Anthropic's clients send the version of its API. */
interface Speaker {
  readonly kind: FileKind
  readonly store: 'openai-files' | 'anthropic-files'
  headers(inbound: InboundRequest): Record<string, string>
}

const openai: Speaker = { kind: 'file', store: 'openai-files', headers: () => ({}) }

const anthropic: Speaker = {
  kind: 'anthropic-file',
  store: 'anthropic-files',
  headers: ({ http }) => ({
    [betaHeader]: http.headers.get(betaHeader) ?? filesBeta,
    'anthropic-version': http.headers.get('anthropic-version') ?? '2023-06-01',
  }),
}

const speakerOf = ({ http }: InboundRequest): Speaker => (http.headers.has('anthropic-version') ? anthropic : openai)

/** The model that the first line of a batch names, so that the file goes to a channel that carries it. */
function modelsIn({ first }: Arriving): string[] {
  const [, model] = /"model"\s*:\s*"([^"\\]{1,200})"/.exec(new TextDecoder().decode(first.subarray(0, 65_536))) ?? []
  return model === undefined ? [] : [model]
}

const create: RelayRoute['serve'] = async (context, inbound) => {
  const speaker = speakerOf(inbound)
  const caller = await context.callers.identify(inbound)
  await requirePurse(context, caller)
  await requireRoom(context, caller.userId, speaker.kind)
  const type = inbound.http.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data')) throw refuse('notForm')
  const arriving = await beginUpload(inbound)
  const keeper = await keeperFor(context, caller, speaker.store, modelsIn(arriving))
  const callFor = (each: RoutedChannel) => storedCall(each, '/files', speaker.headers(inbound))
  const { channel, answer } = await carryWithKeys(context, inbound, { channel: keeper, callFor }, arriving)
  const made = await madeIn(answer, channel.key)
  await keepThing(context, heldIn(context, caller.userId, channel), { kind: speaker.kind, thing: made, days: fileDays })
  return show(made)
}

/** The caller's own files among these ids, in their order; Anthropic's clients name at most a hundred. */
async function filesNamed(context: RelayContext, { userId }: Caller, named: readonly string[]): Promise<JsonObject> {
  const { ctx } = context
  const ids = [...new Set(named)].slice(0, 100)
  const rows = await findState(ctx.database.db, userId, ids, epochSeconds(ctx))
  const found = new Map(rows.map((row) => [row.id, row]))
  const data = ids.flatMap((id) => {
    const row = found.get(id)
    return row?.kind === 'anthropic-file' ? [thingOf(context, row)] : []
  })
  return { data, has_more: false, ...endsOf(data), next_page: null }
}

const list: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  const { kind } = speakerOf(inbound)
  const query = inbound.url.searchParams
  const named = query.getAll('ids[]')
  if (named.length > 0 && kind === 'anthropic-file') return show(await filesNamed(context, caller, named))
  const purpose = query.get('purpose')
  const files = ownThings(context, caller, kind, (file) =>
    purpose === null || textOf(file.purpose) === purpose ? file : null,
  )
  return show(kind === 'file' ? await openaiPage(files, query, 10_000) : await anthropicPage(files, query))
}

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const speaker = speakerOf(inbound)
  const row = await mine(context, await context.callers.identify(inbound), speaker.kind, id)
  const question = { method: 'GET', path: `/files/${id}`, headers: speaker.headers(inbound) } as const
  return show(await askKeeper(context, inbound, row, question))
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const speaker = speakerOf(inbound)
  const row = await mine(context, await context.callers.identify(inbound), speaker.kind, id)
  const question = { method: 'DELETE', path: `/files/${id}`, headers: speaker.headers(inbound) } as const
  const answer = await askKeeper(context, inbound, row, question)
  await dropState(context.ctx.database.db, row.user_id, id)
  return show(answer)
}

const content: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const speaker = speakerOf(inbound)
  const row = await mine(context, await context.callers.identify(inbound), speaker.kind, id)
  const channel = await keeperOf(context, row)
  const call = storedCall(channel, `/files/${id}/content`, speaker.headers(inbound))
  return showBytes(inbound, await streamVendor(context, channel, { method: 'GET', call }, inbound.http.signal))
}

/** Files of OpenAI's and of Anthropic's, which share their addresses. */
export const fileRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/files', admission: 'counted', serve: create },
  { method: 'GET', path: '/v1/files', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1/files/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1/files/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/v1/files/{id}/content', admission: 'counted', serve: content },
]
