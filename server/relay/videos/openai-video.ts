import { amountOf, textOf } from '#server/lib/json.ts'
import type { WorkKind } from '#server/relay/long-work/work.ts'

const ends: Readonly<Record<string, 'done' | 'failed'>> = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** A video of OpenAI's: paid by its seconds when it is done. */
export const openaiVideo: WorkKind = {
  path: (id) => `/videos/${encodeURIComponent(id)}`,
  state: ({ status }) => ends[textOf(status) ?? ''] ?? 'running',
  async used(_context, { facts }, { seconds }) {
    const { seconds: asked } = facts.more as { readonly seconds: number }
    return [{ by: 'seconds', seconds: amountOf(seconds) || asked }]
  },
}
