import { epochSeconds } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { WorkKind } from '#server/relay/long-work/work.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import { keepVideo, type VideoFacts } from './video-facts.ts'

/** Google keeps what it made for two days. */
const keptDays = 2

const samplesIn = (answer: JsonObject): JsonObject[] => {
  const response = objectOf(answer.response)
  const made = objectOf(response?.generateVideoResponse) ?? response
  const samples = [...arrayOf(made?.generatedSamples), ...arrayOf(made?.generatedVideos), ...arrayOf(made?.videos)]
  return samples.map((sample) => objectOf(sample) ?? {})
}

export const fileInAddress = (uri: unknown): string | undefined => /\/(files\/[\w-]+)/.exec(textOf(uri) ?? '')?.[1]

const addressesIn = (answer: JsonObject): string[] =>
  samplesIn(answer).flatMap((sample) => textOf(objectOf(sample.video)?.uri) ?? textOf(sample.uri) ?? [])

/** A video of Google's: an operation, paid by the seconds of what was made. */
export const geminiVideo: WorkKind = {
  name: 'gemini-video',
  idOf: ({ name }) => textOf(name),
  path: (name) => `/${name}`,
  state: ({ done, error }) => (done !== true ? 'running' : error ? 'failed' : 'done'),
  async used(_context, { facts }, answer) {
    const { seconds, samples } = facts.more as VideoFacts
    const made = samplesIn(answer).length
    if (made === 0) return []
    return [{ by: 'seconds', seconds: (seconds / samples) * Math.min(made, samples), doubtful: made > samples }]
  },
  /** The files it made are its user's, as if he had sent them. */
  async keep(context, work, answer) {
    const { ctx } = context
    await keepVideo(context, work, 'operation')
    // Files become the user's only when the video is paid.
    if (geminiVideo.state(answer) !== 'done') return
    const held = { channel_id: work.channel_id, key_hash: work.key_hash }
    const rows = addressesIn(answer).flatMap((uri) => {
      const name = fileInAddress(uri)
      const body_sealed = ctx.secrets.seal(JSON.stringify({ name, uri, mimeType: 'video/mp4', state: 'ACTIVE' }))
      const thing = { userId: work.user_id, kind: 'gemini-file', now: epochSeconds(ctx), days: keptDays } as const
      return name ? [stateRow({ ...thing, id: name }, { ...held, body_sealed })] : []
    })
    await keepState(ctx.database.db, rows)
  },
}
