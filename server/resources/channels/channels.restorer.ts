import { type Restorer, readRows, rowFor } from '#server/history/restorer.ts'
import { invalid } from '#shared/errors.ts'
import { lacksPool } from './channel-secrets.ts'
import { deleteChannel, insertChannel, updateChannel } from './channels.store.ts'

/** Whoever sees the history may change channels, as the form lets them. */
export const channelRestorer: Restorer = {
  read: (db, targets, lock) => readRows(db, 'channels', targets, lock),
  allow(ctx, _actor, { target, from, to }) {
    const isAboutKeys = from !== null && to !== null && ('pool' in to || 'key_sealed' in to)
    if (isAboutKeys && lacksPool(ctx, rowFor<'channels'>(target, { ...from, ...to }))) throw invalid('channel.one_key')
  },
  async change({ tx, announce }, target, fields) {
    await updateChannel(tx, Number(target), fields)
    announce({ topic: 'channels' })
  },
  async insert({ tx, announce }, target, fields) {
    await insertChannel(tx, rowFor<'channels'>(target, fields))
    announce({ topic: 'channels' })
  },
  async remove({ tx, announce }, target) {
    await deleteChannel(tx, Number(target))
    announce({ topic: 'channels' })
  },
}
