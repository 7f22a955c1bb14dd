import { eraseClosedAccounts } from '#server/accounts/erase-rows.ts'
import type { Job } from './job.ts'

/** What a node that is gone has left of closed accounts. */
export const eraseAccountsJob: Job = { name: 'erase-accounts', everyMs: 5000, leader: true, run: eraseClosedAccounts }
