import { epochSeconds } from '#server/context.ts'
import { requestOrigin } from '#server/http/session.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'
import { providerOf } from '#server/providers/index.ts'
import type { UpstreamCall } from '#server/providers/provider.ts'
import { openHeaders } from '#server/relay/delivery/answer-headers.ts'
import { countCall } from '#server/relay/limits/count-call.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse, refuseSize } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { readText } from '#server/relay/request/body.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { admitPaying } from '#server/relay/settlement/admit-body.ts'
import { withHeldKey } from '#server/relay/state/keep-to-holder.ts'
import { requireRoom } from '#server/relay/state/room.ts'
import { VendorRefusal } from '#server/relay/upstream/vendor-refusal.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { answerIn, named, textAfterSending } from '#server/relay/upstream/vendor-thing.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'
import { beginUpload, carryUpload, carryWithKeys } from './carry-upload.ts'
import { geminiFileDays, heldIn, keeperFor, keepThing } from './file-store.ts'
import { ownAddresses } from './gemini-files.routes.ts'

/** Google takes no larger files. */
const geminiBytesMax = 2 * 1024 * 1024 * 1024
const hoursOpen = 48

/** The headers of the upload protocol that are passed on to Google, and back. */
const sent = (inbound: InboundRequest): Record<string, string> =>
  Object.fromEntries([...inbound.http.headers].filter(([name]) => name.startsWith('x-goog-upload-') || name === 'slug'))

const passedBack = ['x-goog-upload-status', 'x-goog-upload-size-received', 'x-goog-upload-chunk-granularity']

function headersBack(answer: Response): Headers {
  const headers = new Headers({ ...openHeaders, 'content-type': 'application/json' })
  for (const name of passedBack) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

/** An upload that has begun: whoever knows its address may go on with it, as at Google. */
interface OpenUpload {
  readonly userId: number
  readonly tokenId: number
  readonly channelId: number
  readonly keyHash: string
  readonly url: string
  readonly until: number
}

/** An upload address on another host is refused: the relay would send users' files wherever it points. */
function isGoogles(address: string, asked: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, protocol, hostname, port } = new URL(address)
  if (origin === new URL(asked).origin) return true
  return protocol === 'https:' && port === '' && hostname.endsWith('.googleapis.com')
}

function uploadCall(inbound: InboundRequest, channel: RoutedChannel, path: string): UpstreamCall {
  const call = providerOf(channel.type).stored?.media?.(channel, 'upload', path)
  if (!call) throw refuse('stateGone')
  return { ...call, headers: { ...sent(inbound), ...call.headers } }
}

const start = async (context: RelayContext, inbound: InboundRequest): Promise<Response> => {
  const { ctx } = context
  const caller = await context.callers.identify(inbound)
  await countCall(context, inbound, caller)
  await admitPaying(context, inbound, caller)
  await requireRoom(context, caller.userId, 'gemini-file')
  if (Number(inbound.http.headers.get('x-goog-upload-header-content-length') ?? 0) > geminiBytesMax)
    throw refuseSize(geminiBytesMax)
  const text = await readText(inbound)
  const keeper = await keeperFor(context, caller, 'gemini-files')
  const { channel, answer } = await withKeys(context, keeper, (each) => {
    const known = uploadCall(inbound, each, '/files')
    const call = { ...known, headers: { ...known.headers, 'content-type': 'application/json' } }
    return streamVendor(context, each, { method: 'POST', call, body: text }, inbound.http.signal)
  })
  const url = answer.headers.get('x-goog-upload-url')
  if (!url || !isGoogles(url, channel.baseUrl)) throw refuse('upstreamFailed')
  const upload: OpenUpload = {
    ...heldIn(context, caller.userId, channel),
    tokenId: caller.tokenId,
    url,
    until: epochSeconds(ctx) + hoursOpen * 3600,
  }
  const query = new URLSearchParams({
    upload_id: ctx.secrets.seal(JSON.stringify(upload)),
    upload_protocol: 'resumable',
  })
  const headers = headersBack(answer)
  headers.set('x-goog-upload-url', `${requestOrigin(ctx, inbound.http)}/upload/v1beta/files?${query}`)
  await answer.body?.cancel()
  return new Response('', { headers })
}

function openUpload({ ctx }: RelayContext, id: string): OpenUpload {
  try {
    const upload = objectOf(parseJson(ctx.secrets.open(id)))
    if (upload && Number(upload.until) > epochSeconds(ctx)) return upload as unknown as OpenUpload
  } catch {}
  throw refuse('uploadUnknown')
}

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key']

/**
 * No key is needed to go on with an upload, but the one it was begun with must still be good; one that is sent must belong to
 * the user who began it.
 */
async function continued(context: RelayContext, inbound: InboundRequest, id: string): Promise<Response> {
  const upload = openUpload(context, id)
  const hasKey = keyHeaders.some((name) => inbound.http.headers.has(name)) || inbound.url.searchParams.has('key')
  const { callers } = context
  const caller = await (hasKey ? callers.identify(inbound) : callers.goingOn(upload.tokenId, inbound.clientAddress))
  if (caller.userId !== upload.userId) throw refuse('uploadUnknown')
  const { headers } = inbound.http
  const end = Number(headers.get('x-goog-upload-offset') ?? 0) + Number(headers.get('content-length') ?? 0)
  if (end > geminiBytesMax) throw refuseSize(geminiBytesMax)
  const known = (await context.routing.table()).channels.get(upload.channelId)
  const channel = known && withHeldKey(context.ctx, known, upload.keyHash)
  if (!channel) throw refuse('stateGone')
  const call = { url: upload.url, headers: sent(inbound) }
  const answer = await carryUpload(context, inbound, { channel, call }, await beginUpload(inbound))
  return finished(context, inbound, upload, { channel, answer })
}

async function finished(
  context: RelayContext,
  inbound: InboundRequest,
  holder: Pick<OpenUpload, 'userId' | 'channelId' | 'keyHash'>,
  { channel, answer }: { readonly channel: RoutedChannel; readonly answer: Response },
): Promise<Response> {
  const text = await textAfterSending(answer)
  const headers = headersBack(answer)
  // The answer to a part of the file has no body.
  if (text === '') return new Response('', { headers })
  const said = answerIn(text, channel.key)
  if (!said.ok) throw new VendorRefusal(said.fault)
  const file = named(objectOf(said.body.file) ?? {})
  await keepThing(context, holder, { kind: 'gemini-file', thing: file, days: geminiFileDays })
  return new Response(JSON.stringify({ file: ownAddresses(context, inbound, file) }), { headers })
}

/** All of it in one request: its description and its bytes as parts of one body, or the bytes alone. */
async function whole(context: RelayContext, inbound: InboundRequest): Promise<Response> {
  const caller = await context.callers.identify(inbound)
  await countCall(context, inbound, caller)
  await requirePurse(context, caller)
  await requireRoom(context, caller.userId, 'gemini-file')
  const arriving = await beginUpload(inbound)
  const keeper = await keeperFor(context, caller, 'gemini-files')
  const query = new URLSearchParams(inbound.url.searchParams)
  query.delete('key')
  const path = query.size === 0 ? '/files' : `/files?${query}`
  const callFor = (each: RoutedChannel) => uploadCall(inbound, each, path)
  const carried = await carryWithKeys(context, inbound, { channel: keeper, callFor }, arriving)
  return finished(context, inbound, heldIn(context, caller.userId, carried.channel), carried)
}

const upload: RelayRoute['serve'] = async (context, inbound) => {
  const id = inbound.url.searchParams.get('upload_id')
  if (id !== null) return continued(context, inbound, id)
  const isStart = /^\s*start\s*$/i.test(inbound.http.headers.get('x-goog-upload-command') ?? '')
  return isStart ? start(context, inbound) : whole(context, inbound)
}

/** Files for Google, by its protocol of uploads that can be gone on with. */
export const geminiUploadRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/upload/{version}/files', admission: 'open', serve: upload },
]
