import { foldLogsJob } from './fold-logs.ts'
import type { Job } from './job.ts'
import { removeExpired } from './remove-expired.ts'

/** Every job of a node. Adding one is one line. */
export const jobs: readonly Job[] = [foldLogsJob, removeExpired]
