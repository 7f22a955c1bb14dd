import type { Db } from '#server/db/database.ts'

/** All channels, for the index the relay keeps in memory. */
export const readChannels = (db: Db) =>
  db
    .selectFrom('channels')
    .select([
      'id',
      'name',
      'type',
      'key_sealed',
      'base_url',
      'other',
      'model_mapping',
      'models',
      'group',
      'status',
      'priority',
      'weight',
      'rpm',
      'tpm',
      'parallel',
      'cost_ratio',
      'headers',
      'overrides',
      'proxy_sealed',
      'pool',
      'test_model',
    ])
    .orderBy('id')
    .execute()

export type RoutedChannelRow = Awaited<ReturnType<typeof readChannels>>[number]
