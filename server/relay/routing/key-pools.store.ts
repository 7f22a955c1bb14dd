import type { Db, Tx } from '#server/db/database.ts'

/** A key of a pool that failed. Times are seconds. */
export interface KeyState {
  readonly channelId: number
  readonly keyHash: string
  readonly restingUntil: number
  readonly restSeconds: number
  readonly lastFault: string
}

/** Every state, and the sealed keys of the pools they belong to. */
export async function readKeyStates(db: Db) {
  const states: KeyState[] = await db
    .selectFrom('channel_keys')
    .select([
      'channel_id as channelId',
      'key_hash as keyHash',
      'resting_until as restingUntil',
      'rest_seconds as restSeconds',
      'last_fault as lastFault',
    ])
    .execute()
  const pools = await db
    .selectFrom('channels')
    .select(['id', 'key_sealed as keySealed'])
    .where('pool', '=', 1)
    .where('id', 'in', (query) => query.selectFrom('channel_keys').select('channel_id'))
    .execute()
  return { states, pools }
}

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
