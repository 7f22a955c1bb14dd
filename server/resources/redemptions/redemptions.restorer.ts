import { type Restorer, readRows, rowFor } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import { deleteRedemption, insertRedemptions, updateUnused } from './redemptions.store.ts'

/** Whoever sees the history may change codes, but nobody those that were used. */
export const redemptionRestorer: Restorer = {
  read: (db, targets, lock) => readRows(db, 'redemptions', targets, lock),
  allow(_ctx, _actor, { from }) {
    if (from?.status === redemptionStatus.used) throw new AppError('redemption.used')
  },
  async change({ tx }, target, fields) {
    if (!(await updateUnused(tx, Number(target), fields))) throw new AppError('redemption.used')
  },
  async insert({ tx }, target, fields) {
    await insertRedemptions(tx, [rowFor<'redemptions'>(target, fields)])
  },
  async remove({ tx }, target) {
    await deleteRedemption(tx, Number(target))
  },
}
