import type { Context } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Channel } from '#shared/api/channels.ts'
import { keyLines } from '#shared/key-lines.ts'
import { maskedProxy } from '#shared/proxy-address.ts'
import type { ChannelRow } from './channels.store.ts'
import { unpricedModels } from './model-prices.ts'
import { successShares } from './success-shares.ts'

type KeyState = Channel['keys'][number]

const well: KeyState = { resting_until: 0, last_fault: '' }

/** Channels as they are shown: the output schema has no place for a key, and a proxy's password is masked. */
export async function presentChannels(ctx: Context, db: Db | Tx, rows: readonly ChannelRow[]): Promise<Channel[]> {
  const pools = rows.filter(({ pool }) => pool === 1).map(({ id }) => id)
  const failed = pools.length === 0 ? [] : await readKeyStates(db, pools)
  const states = new Map(failed.map(({ channel_id, key_hash, ...state }) => [`${channel_id}/${key_hash}`, state]))
  const shares = rows.length === 0 ? new Map<number, number>() : await successShares(ctx, db)
  return rows.map((row) => {
    const { key_sealed, key_hash: _, proxy_sealed, pool, ...rest } = row
    const keys = pool === 1 ? keyLines(ctx.secrets.open(key_sealed)) : []
    return {
      ...rest,
      key: '',
      pool: pool === 1,
      proxy: maskedProxy(ctx.secrets.open(proxy_sealed)),
      keys: keys.map((key) => states.get(`${row.id}/${ctx.secrets.hash(key)}`) ?? well),
      success_share: shares.get(row.id) ?? null,
      unpriced_models: unpricedModels(ctx, row),
    }
  })
}

export async function presentChannel(ctx: Context, db: Db | Tx, row: ChannelRow): Promise<Channel> {
  const [shown] = await presentChannels(ctx, db, [row])
  if (!shown) throw new Error('a channel was not presented')
  return shown
}

const readKeyStates = (db: Db | Tx, channelIds: readonly number[]) =>
  db
    .selectFrom('channel_keys')
    .select(['channel_id', 'key_hash', 'resting_until', 'last_fault'])
    .where('channel_id', 'in', channelIds)
    .execute()
