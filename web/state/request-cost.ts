import { logsApi } from '#shared/api/logs.ts'
import { call } from '#web/lib/api.ts'

const tries = 6
const pause = 400

/** What a request was charged: it stands on its row, which may come a moment after the answer. */
export async function requestCost(requestId: string): Promise<number | undefined> {
  for (let tried = 0; tried < tries; tried += 1) {
    try {
      return (await call(logsApi.request, { request_id: requestId })).row.quota
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return undefined
}
