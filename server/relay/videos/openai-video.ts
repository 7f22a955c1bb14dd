import { amountOf, arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { workerOf } from '#server/relay/long-work/look.ts'
import { askList, isNear } from '#server/relay/long-work/vendor-list.ts'
import type { WorkKind } from '#server/relay/long-work/work.ts'
import { keepVideo, longestSeconds, type VideoFacts } from './video-facts.ts'

const ends: Readonly<Record<string, 'done' | 'failed'>> = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** Finds a video in OpenAI's list by its request and time; one that was given to a user already does not count. */
const find: NonNullable<WorkKind['find']> = async (context, work, isNew) => {
  const { asked, shown } = work.facts.more as VideoFacts
  const list = await askList(context, await workerOf(context, work), '/videos?limit=100')
  const [part] = work.facts.parts
  const model = part && (part.sold.channel.mapping.get(part.model) ?? part.model)
  const found: JsonObject[] = []
  for (const entry of arrayOf(list.data)) {
    const video = objectOf(entry) ?? {}
    const isAlike =
      video.model === model &&
      (video.prompt ?? asked.prompt) === asked.prompt &&
      (video.remixed_from_video_id ?? '') === asked.remixOf &&
      (numberOf(video.seconds) ?? shown.seconds) === shown.seconds &&
      isNear(video.created_at, work.created_at)
    if (isAlike && (await isNew(textOf(video.id) ?? ''))) found.push(video)
  }
  const [answer, another] = found
  return answer && !another ? { answer } : 'none'
}

/** A video of OpenAI's: paid by its seconds when it is done. */
export const openaiVideo: WorkKind = {
  name: 'openai-video',
  idOf: ({ id }) => textOf(id),
  find,
  path: (id) => `/videos/${encodeURIComponent(id)}`,
  state: ({ status }) => ends[textOf(status) ?? ''] ?? 'running',
  async used(_context, { facts }, { seconds }) {
    const { seconds: asked } = facts.more as VideoFacts
    const said = amountOf(seconds)
    return [
      said > longestSeconds
        ? { by: 'seconds', seconds: asked, doubtful: true }
        : { by: 'seconds', seconds: said || asked },
    ]
  },
  keep: (context, work) => keepVideo(context, work, 'video'),
}
