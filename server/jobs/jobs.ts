import { addLogDays } from './add-log-days.ts'
import { eraseAccountsJob } from './erase-accounts.ts'
import { expireLogsJob } from './expire-logs.ts'
import { foldLogsJob } from './fold-logs.ts'
import { followFile } from './follow-file.ts'
import type { Job } from './job.ts'
import { keepLease } from './keep-lease.ts'
import { mendHoursJob } from './mend-hours.ts'
import { proveBalancesJob } from './prove-balances.ts'
import { recountBudgetsJob } from './recount-budgets.ts'
import { removeExpired } from './remove-expired.ts'
import { sealCodes } from './seal-codes.ts'
import { sweepHoldsJob } from './sweep-holds.ts'
import { warnOfClockJob } from './warn-of-clock.ts'

/** Every job of a node. Adding one is one line. */
export const jobs: readonly Job[] = [
  foldLogsJob,
  expireLogsJob,
  addLogDays,
  removeExpired,
  keepLease,
  sweepHoldsJob,
  proveBalancesJob,
  sealCodes,
  mendHoursJob,
  warnOfClockJob,
  recountBudgetsJob,
  eraseAccountsJob,
  followFile,
]
