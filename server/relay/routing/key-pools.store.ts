import type { Db, Tx } from '#server/db/database.ts'

/** A key of a pool that failed. Times are seconds. */
export interface KeyState {
  readonly channelId: number
  readonly keyHash: string
  readonly restingUntil: number
  readonly restSeconds: number
  readonly lastFault: string
}

/** With the sealed keys of its channel, of which it is one. */
export const readKeyStates = (db: Db) =>
  db
    .selectFrom('channel_keys')
    .innerJoin('channels', 'channels.id', 'channel_keys.channel_id')
    .select([
      'channel_keys.channel_id as channelId',
      'channel_keys.key_hash as keyHash',
      'channel_keys.resting_until as restingUntil',
      'channel_keys.rest_seconds as restSeconds',
      'channel_keys.last_fault as lastFault',
      'channels.key_sealed as keySealed',
    ])
    .where('channels.pool', '=', 1)
    .execute()

export async function writeKeyState(tx: Tx, state: KeyState): Promise<void> {
  const { channelId, keyHash, restingUntil, restSeconds, lastFault } = state
  const values = { resting_until: restingUntil, rest_seconds: restSeconds, last_fault: lastFault }
  await tx
    .insertInto('channel_keys')
    .values({ channel_id: channelId, key_hash: keyHash, ...values })
    .onConflict((conflict) => conflict.columns(['channel_id', 'key_hash']).doUpdateSet(values))
    .execute()
}

export async function forgetKeyState(tx: Tx, channelId: number, keyHash: string): Promise<void> {
  await tx.deleteFrom('channel_keys').where('channel_id', '=', channelId).where('key_hash', '=', keyHash).execute()
}
