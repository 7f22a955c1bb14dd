import { gemini } from '#server/dialects/gemini/gemini.ts'
import { requestOrigin } from '#server/http/session.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import { workNow } from '#server/relay/long-work/work-now.ts'
import { show } from '#server/relay/lookups/show.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type Ask, bodyOf, readAsk } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Door } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { admitBody } from '#server/relay/settlement/admit-body.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { holderOfAll, mine } from '#server/relay/stored/held-by-vendor.ts'
import { beginVideo } from './begin-video.ts'
import { fileInAddress, geminiVideo } from './gemini-video.ts'
import { postToVendor } from './post-to-vendor.ts'
import { filesMost, longestSeconds } from './video-facts.ts'

const door: Door = { operation: 'predict-long', dialect: gemini, payload: 'json', count: () => 1 }

const usualSeconds = 8
const mostSamples = 8
/** Finer ones cost more. */
const usualResolutions: ReadonlySet<string> = new Set(['', '720p', '1080p'])

/** The largest number under any of the names; undefined when one of them is no number. */
function largest(parameters: JsonObject, names: readonly string[], usual: number): number | undefined {
  const given = names.flatMap((name) => (parameters[name] == null ? [] : [numberOf(parameters[name])]))
  if (given.length === 0) return usual
  return given.includes(undefined) ? undefined : Math.max(...given.map(Number))
}

/** How many videos are asked for, and how long all of them are. */
function lengthOf(body: JsonObject): { readonly seconds: number; readonly samples: number } {
  const parameters = objectOf(body.parameters) ?? {}
  const seconds = largest(parameters, ['durationSeconds', 'duration_seconds'], usualSeconds)
  const each = largest(parameters, ['sampleCount', 'sample_count', 'numberOfVideos', 'number_of_videos'], 1)
  if (seconds === undefined || seconds <= 0 || seconds > longestSeconds)
    throw refuse('badSeconds', { most: longestSeconds })
  const samples = (each ?? 0) * Math.max(1, arrayOf(body.instances).length)
  if (!Number.isInteger(samples) || samples < 1 || samples > mostSamples) throw refuse('badCount')
  return { seconds: seconds * samples, samples }
}

/** Every step of it ends at a slash, so that no text is gone over again and again. */
const ownFile = /https?:\/\/[^"\s/]+(?:\/[^"\s/]+){0,3}?\/v1(?:beta|alpha)?\/(files\/[\w-]+)/g
const googleAddress = 'https://generativelanguage.googleapis.com/v1beta/'

/** Files it is made of must be its caller's, and one channel must have them; Google knows them by its own address. */
async function withOwnFiles(
  context: RelayContext,
  caller: Caller,
  ask: Ask,
): Promise<{ readonly ask: Ask; readonly holder: Holder | null }> {
  if (ask.payload.kind !== 'json') return { ask, holder: null }
  // Serialised anew, because the client may have written an address with escapes.
  const text = JSON.stringify(ask.payload.body)
  const names = new Set([...text.matchAll(/["/](files\/[\w-]+)/g)].map(([, name = '']) => name))
  if (names.size === 0) return { ask, holder: null }
  if (names.size > filesMost) throw refuse('tooManyIds', { most: filesMost })
  await requirePurse(context, caller)
  const holder = await holderOfAll(context, caller, 'gemini-file', names)
  const renamed = text.replace(ownFile, `${googleAddress}$1`)
  const body = JSON.parse(renamed)
  return { ask: { ...ask, payload: { kind: 'json', text: renamed, body: { ...body, model: ask.model } } }, holder }
}

const create: RelayRoute['serve'] = async (context, inbound, { model = '' }) => {
  const caller = await context.callers.identify(inbound)
  await admitBody(context, inbound, caller)
  const read = await readAsk({ door, model: decoded(model), stream: false }, inbound)
  const body = bodyOf(read)
  const length = lengthOf(body)
  const resolution = textOf(objectOf(body.parameters)?.resolution)?.trim().toLowerCase() ?? ''
  const { ask, holder } = await withOwnFiles(context, caller, read)
  const { answer, headers } = await beginVideo(
    context,
    { inbound, caller, ask },
    {
      kind: geminiVideo,
      facts: {},
      asked: { prompt: '', remixOf: '' },
      holder,
      pricedAs: (upstream) => `${upstream}-${resolution}`,
      ...(usualResolutions.has(resolution) ? {} : { fineness: resolution }),
      ...length,
    },
    (channel, asked) => postToVendor(context, inbound, channel, asked),
  )
  return show(answer, headers)
}

/** Addresses of the videos, at the relay that was asked for them. */
function ownAddresses({ ctx }: RelayContext, { http }: InboundRequest, answer: JsonObject): JsonObject {
  const origin = requestOrigin(ctx, http)
  const replaced = (key: string, value: unknown): unknown => {
    const name = key === 'uri' ? fileInAddress(value) : undefined
    return name === undefined ? value : `${origin}/v1beta/${name}:download?alt=media`
  }
  return JSON.parse(JSON.stringify(answer, replaced))
}

async function current(context: RelayContext, inbound: InboundRequest, name: string): Promise<Response> {
  const row = await mine(context, await context.callers.identify(inbound), 'operation', name)
  const answer = await workNow(context, inbound, geminiVideo, row)
  return show(ownAddresses(context, inbound, answer))
}

/** Google's long-running operations: videos. */
export const operationRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1beta/models/{model}:predictLongRunning', admission: 'held', serve: create },
  {
    method: 'GET',
    path: '/v1beta/models/{model}/operations/{id}',
    admission: 'counted',
    serve: (context, inbound, { model = '', id = '' }) => current(context, inbound, `models/${model}/operations/${id}`),
  },
  {
    method: 'GET',
    path: '/v1beta/operations/{id}',
    admission: 'counted',
    serve: (context, inbound, { id = '' }) => current(context, inbound, `operations/${id}`),
  },
]
