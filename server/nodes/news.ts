import { z } from 'zod'
import { type Change, changeTopics } from '#server/lib/changes.ts'
import { parseJson } from '#server/lib/json.ts'
import type { Logger } from '#server/lib/log.ts'

const News = z.object({
  from: z.string(),
  changes: z.array(z.object({ topic: z.enum(changeTopics), id: z.number().optional() })),
})

/** The changes in a notification of another node; nothing when it is our own. */
export function readNews(payload: string | undefined, nodeId: string, log: Logger): readonly Change[] {
  const parsed = News.safeParse(parseJson(payload ?? ''))
  if (!parsed.success) {
    // A node of another version may send unknown topics: then everything may have changed.
    log.warn('news from another node could not be read')
    return [{ topic: 'everything' }]
  }
  const { from, changes } = parsed.data
  return from === nodeId ? [] : changes.map(({ topic, id }) => (id === undefined ? { topic } : { topic, id }))
}
