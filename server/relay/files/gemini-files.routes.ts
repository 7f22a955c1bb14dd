import { epochSeconds } from '#server/context.ts'
import { requestOrigin } from '#server/http/session.ts'
import { type JsonObject, textOf } from '#server/lib/json.ts'
import { providerOf } from '#server/providers/index.ts'
import { show } from '#server/relay/lookups/show.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { dropState, findState, type StateRow } from '#server/relay/state/state.store.ts'
import { askKeeper, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { geminiPage } from '#server/relay/stored/pages.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { geminiFileDays, keepThing, keptBy, ownThings } from './file-store.ts'
import { showBytes } from './show-bytes.ts'

const nameOf = (id: string) => `files/${id}`

/** A file with addresses of the relay's own. */
export function ownAddresses(
  { ctx }: Pick<RelayContext, 'ctx'>,
  { http }: InboundRequest,
  file: JsonObject,
): JsonObject {
  const name = textOf(file.name)
  if (!name) return file
  const uri = `${requestOrigin(ctx, http)}/v1beta/${name}`
  return { ...file, uri, ...(file.downloadUri ? { downloadUri: `${uri}:download?alt=media` } : {}) }
}

/** Asks Google for a file, and keeps the answer for lists and for Google's own address of the file. */
async function fresh(context: RelayContext, inbound: InboundRequest, row: StateRow): Promise<JsonObject> {
  const file = await askKeeper(context, inbound, row, { method: 'GET', path: `/${row.id}` })
  await keepThing(context, keptBy(row), {
    kind: 'gemini-file',
    thing: file,
    days: geminiFileDays,
    madeAt: row.created_at,
  })
  return file
}

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const caller = await context.callers.identify(inbound)
  if (id.endsWith(':download')) return download(context, inbound, caller, id.slice(0, -':download'.length))
  const row = await mine(context, caller, 'gemini-file', nameOf(id))
  return show(ownAddresses(context, inbound, await fresh(context, inbound, row)))
}

async function download(context: RelayContext, inbound: InboundRequest, caller: Caller, id: string): Promise<Response> {
  const row = await mine(context, caller, 'gemini-file', nameOf(id))
  const channel = await keeperOf(context, row)
  return showBytes(inbound, await geminiBytes(context, channel, row.id, inbound.http.signal))
}

/** The content of a file Google keeps, which has two addresses for it. */
export async function geminiBytes(
  context: RelayContext,
  channel: RoutedChannel,
  name: string,
  gone: AbortSignal,
): Promise<Response> {
  const { stored } = providerOf(channel.type)
  const path = `/${name}:download?alt=media`
  const [first, second] = [stored?.call(channel, path), stored?.media?.(channel, 'download', path)]
  if (!first) throw refuse('stateGone')
  try {
    return await streamVendor(context, channel, { method: 'GET', call: first }, gone)
  } catch (error) {
    if (!second || !(error instanceof RelayFault) || error.fault.status !== 404) throw error
    return streamVendor(context, channel, { method: 'GET', call: second }, gone)
  }
}

const downloaded: RelayRoute['serve'] = async (context, inbound, { id = '' }) =>
  download(context, inbound, await context.callers.identify(inbound), id.replace(/:download$/, ''))

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'gemini-file', nameOf(id))
  const answer = await askKeeper(context, inbound, row, { method: 'DELETE', path: `/${row.id}` })
  await dropState(context.ctx.database.db, row.user_id, row.id)
  return show(answer)
}

/** One's own. What was not ready when it was last seen is asked for again. */
const list: RelayRoute['serve'] = async (context, inbound) => {
  const { ctx } = context
  const caller = await context.callers.identify(inbound)
  const { db } = ctx.database
  const now = epochSeconds(ctx)
  const page = await geminiPage(ownThings(context, caller, 'gemini-file'), inbound.url.searchParams, 'files')
  const files = (page.files as JsonObject[]).map(async (file) => {
    if (file.state !== 'PROCESSING') return file
    const [row] = await findState(db, caller.userId, [textOf(file.name) ?? ''], now)
    return row ? fresh(context, inbound, row).catch(() => file) : file
  })
  const shown = (await Promise.all(files)).map((file) => ownAddresses(context, inbound, file))
  return show({ ...page, files: shown })
}

/** Files Google keeps. */
export const geminiFileRoutes: readonly RelayRoute[] = [
  { method: 'GET', path: '/v1beta/files', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1beta/files/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1beta/files/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/download/{version}/files/{id}', admission: 'counted', serve: downloaded },
]
