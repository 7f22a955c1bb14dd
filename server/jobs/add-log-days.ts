import { addComingDays } from '#server/db/logs/days/coming-days.ts'
import type { Job } from './job.ts'

export const addLogDays: Job = {
  name: 'add-log-days',
  everyMs: 10 * 60_000,
  leader: true,
  run: ({ database }) => addComingDays(database),
}
