import { stateRow } from '#server/relay/state/keep-answer.ts'
import type { StateKind } from '#server/relay/state/state.store.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import type { RelayScene } from './relay-scene.ts'

/** Makes an id the user's own, kept by the vendor behind a channel. */
export async function giveId(scene: RelayScene, kind: StateKind, id: string, channelId: number): Promise<void> {
  const { ctx } = scene.app
  const channel = await ctx.database.db
    .selectFrom('channels')
    .select('key_sealed')
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow()
  const held = { channel_id: channelId, key_hash: ctx.secrets.hash(ctx.secrets.open(channel.key_sealed)) }
  await keepState(ctx.database.db, [
    stateRow({ userId: scene.userId, kind, id, now: Math.floor(ctx.clock() / 1000), days: 1 }, held),
  ])
}
