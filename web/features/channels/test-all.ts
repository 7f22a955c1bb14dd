import { channelsApi } from '#shared/api/channels.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { refusalText } from '#web/lib/messages.ts'

export interface FailedTest {
  readonly id: number
  readonly name: string
  readonly reason: string
}

const atOnce = 4

/** Tests channels, a few at a time; returns which failed, and why. */
export async function testAll(ids: readonly number[], nameOf: (id: number) => string): Promise<FailedTest[]> {
  const waiting = [...ids]
  const failed: FailedTest[] = []
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await call(channelsApi.test, { id })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'channel.test_failed') throw error
        failed.push({ id, name: nameOf(id), reason: refusalText(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed
}
