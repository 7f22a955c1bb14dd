import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { type JsonObject, numberOf, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { beginningMs } from '#server/relay/long-work/begin.ts'
import { findWork } from '#server/relay/long-work/long-work.store.ts'
import { workNow } from '#server/relay/long-work/work-now.ts'
import { show } from '#server/relay/lookups/show.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type Ask, readAsk, readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { Door } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { picturesCount } from '#server/relay/request/picture-counts.ts'
import { plainAsk } from '#server/relay/request/plain-ask.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { admitBody } from '#server/relay/settlement/admit-body.ts'
import { dropState, type StateRow } from '#server/relay/state/state.store.ts'
import { askedPage } from '#server/relay/stored/asked-page.ts'
import { askChannel, askKeeper, mine } from '#server/relay/stored/held-by-vendor.ts'
import { endsOf, limitIn, openaiPlace } from '#server/relay/stored/pages.ts'
import { beginVideo, type VideoOrder } from './begin-video.ts'
import { openaiVideo } from './openai-video.ts'
import { postToVendor } from './post-to-vendor.ts'
import { showVideo } from './show-video.ts'
import { longestSeconds } from './video-facts.ts'
import { holderOfReferences } from './video-references.ts'

const door: Door = {
  operation: 'videos',
  dialect: openaiChat,
  payload: 'json',
  defaultModel: 'sora-2',
  count: () => 1,
}

const usualSeconds = 4

const usualPixels = 1280 * 720
const dearInLarge = /^sora-2-pro(?:-\d{4}-\d{2}-\d{2})?$/

/** Whether a size costs more; what cannot be read does. */
function isLarge(size: string): boolean {
  if (size === '') return false
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? []
  return !width || !height || Number(width) * Number(height) > usualPixels
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = ({ payload }: Ask): Fields =>
  payload.kind === 'json' ? payload.body : Object.fromEntries(payload.form)

/** Names under which vendors in OpenAI's shape read how long a video is to be. */
const lengthNames = [
  ...(['seconds', 'duration', 'duration_seconds', 'durationSeconds'] as const),
  ...(['n_seconds', 'num_seconds', 'length', 'video_length', 'video_duration'] as const),
]

/** The longest length given under any name. */
function secondsIn(fields: Fields): number {
  const said = lengthNames.flatMap((name) => fields[name] ?? [])
  if (said.length === 0) return usualSeconds
  const seconds = Math.max(...said.map((value) => numberOf(value) ?? Number.NaN))
  if (!(seconds > 0) || seconds > longestSeconds) throw refuse('badSeconds', { most: longestSeconds })
  return seconds
}

const videoOrderOf = (
  { seconds, size }: { readonly seconds: number; readonly size: string },
  asked: VideoOrder['asked'],
  holder: VideoOrder['holder'],
): VideoOrder => ({
  kind: openaiVideo,
  seconds,
  samples: 1,
  facts: { seconds, size },
  asked,
  holder,
  pricedAs: (model) => (dearInLarge.test(model) && isLarge(size) ? 'sora-2-pro-high-res' : null),
})

const create: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  await admitBody(context, inbound, caller)
  const isForm = inbound.http.headers.get('content-type')?.startsWith('multipart/') === true
  const ask = await readAsk({ door: { ...door, payload: isForm ? 'form' : 'json' } }, inbound)
  const holder = await holderOfReferences(context, caller, ask)
  const fields = fieldsOf(ask)
  if (picturesCount(fields) !== 1) throw refuse('extraUnpriced', { model: ask.model, extra: 'several videos at once' })
  const film = { seconds: secondsIn(fields), size: textOf(fields.size) ?? '' }
  const wish = videoOrderOf(film, { prompt: textOf(fields.prompt) ?? '', remixOf: '' }, holder)
  const { answer, headers } = await beginVideo(context, { inbound, caller, ask }, wish, (channel, asked) =>
    postToVendor(context, inbound, channel, asked),
  )
  return show({ ...answer, model: ask.model }, headers)
}

/** What is remembered of a video beside who made it. */
const factsOf = ({ ctx }: RelayContext, row: StateRow): JsonObject =>
  objectOf(parseJson(ctx.secrets.open(row.body_sealed))) ?? {}

/** What its vendor says of it now; what has just been done is paid first. */
async function current(context: RelayContext, inbound: InboundRequest, row: StateRow): Promise<JsonObject> {
  const answer = await workNow(context, inbound, openaiVideo, row)
  return { ...answer, ...(answer.model === undefined ? {} : { model: factsOf(context, row).model }) }
}

const own = async (context: RelayContext, inbound: InboundRequest, id: string) =>
  mine(context, await context.callers.identify(inbound), 'video', id)

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) =>
  show(await current(context, inbound, await own(context, inbound, id)))

const content: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await own(context, inbound, id)
  // A video is shown only when it is paid.
  await current(context, inbound, row)
  if (await findWork(context.ctx.database.db, row.user_id, row.id)) throw refuse('videoRunning')
  const variant = inbound.url.searchParams.get('variant')
  const query = variant === null ? '' : `?${new URLSearchParams({ variant })}`
  return showVideo(context, inbound, row, `${openaiVideo.path(id)}/content${query}`)
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await own(context, inbound, id)
  await current(context, inbound, row)
  if (await findWork(context.ctx.database.db, row.user_id, row.id)) throw refuse('videoRunning')
  const answer = await askKeeper(context, inbound, row, { method: 'DELETE', path: openaiVideo.path(id) })
  await dropState(context.ctx.database.db, row.user_id, id)
  return show(answer)
}

/** One's own only, newest first unless asked otherwise. */
const list: RelayRoute['serve'] = async (context, inbound) => {
  const { searchParams: query } = inbound.url
  const { userId } = await context.callers.identify(inbound)
  const place = openaiPlace(query, limitIn(query, 'limit', 20, 100))
  const { data, goesOnAfter } = await askedPage(context, { userId, kind: 'video' }, place, (row) =>
    current(context, inbound, row),
  )
  return show({ object: 'list', data, ...endsOf(data), has_more: goesOnAfter !== undefined })
}

/** Another video of the same length and size, made of one's own by who made that. */
const remix: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const caller = await context.callers.identify(inbound)
  const row = await mine(context, caller, 'video', id)
  await admitBody(context, inbound, caller)
  // It is as long and as large as what it is made of.
  const { prompt } = readJsonObject(await readText(inbound))
  const { model, seconds, size } = factsOf(context, row)
  const ask = plainAsk(door, textOf(model) ?? 'sora-2')
  const holder = { channelId: row.channel_id, keyHash: row.key_hash }
  const film = { seconds: secondsIn({ seconds }), size: textOf(size) ?? '' }
  const wish = videoOrderOf(film, { prompt: textOf(prompt) ?? '', remixOf: id }, holder)
  const path = `${openaiVideo.path(id)}/remix`
  const { answer, headers } = await beginVideo(context, { inbound, caller, ask }, wish, async (channel) => {
    const question = { method: 'POST', path, body: { prompt } } as const
    return askChannel(context, channel, question, AbortSignal.timeout(beginningMs))
  })
  return show({ ...answer, model: ask.model }, headers)
}

/** Videos in OpenAI's words. */
export const videoRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/videos', admission: 'held', serve: create },
  { method: 'GET', path: '/v1/videos', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1/videos/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1/videos/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/v1/videos/{id}/content', admission: 'counted', serve: content },
  { method: 'POST', path: '/v1/videos/{id}/remix', admission: 'held', serve: remix },
]
