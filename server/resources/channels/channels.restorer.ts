import { type Restorer, readRows, rowFor } from '#server/history/restorer.ts'
import { deleteChannel, insertChannel, updateChannel } from './channels.store.ts'

/** Whoever sees the history may change channels. */
export const channelRestorer: Restorer = {
  read: (db, targets, lock) => readRows(db, 'channels', targets, lock),
  allow() {},
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
