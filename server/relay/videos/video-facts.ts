import type { JsonObject } from '#server/lib/json.ts'
import type { Work } from '#server/relay/long-work/work.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState } from '#server/relay/state/state.store.ts'

/** What is remembered of a video until it is done, and what is shown of it. */
export interface VideoFacts {
  readonly seconds: number
  readonly samples: number
  readonly shown: JsonObject
  readonly asked: { readonly prompt: string; readonly remixOf: string }
}

/** No vendor makes longer ones. */
export const longestSeconds = 120

/** The most files a video is made of; vendors take one or a few. */
export const filesMost = 16

/** How long a video is remembered; vendors keep videos for a few days. */
const rememberedDays = 30

/** Remembers the owner of a video and the channel that makes it. */
export async function keepVideo({ ctx }: RelayContext, work: Work, kind: 'video' | 'operation'): Promise<void> {
  const { shown } = work.facts.more as VideoFacts
  const held = {
    channel_id: work.channel_id,
    key_hash: work.key_hash,
    body_sealed: ctx.secrets.seal(JSON.stringify(shown)),
  }
  const thing = { userId: work.user_id, kind, id: work.vendor_id, now: work.created_at, days: rememberedDays }
  await keepState(ctx.database.db, [stateRow(thing, held)])
}
