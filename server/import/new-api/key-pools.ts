import { z } from 'zod'
import type { ChannelFacts } from '#server/import/form.ts'
import { parseObject } from '#server/lib/json.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { SourceChannel } from './rows.ts'

const Info = z.object({
  is_multi_key: z.boolean().catch(false),
  multi_key_status_list: z.record(z.string(), z.number()).nullish().catch(null),
})

/** The key, or the pool of keys with those that are switched off. */
export function keysOf({ key, channel_info }: SourceChannel): Pick<ChannelFacts, 'key' | 'isPool' | 'disabledKeys'> {
  const info = Info.parse(parseObject(channel_info))
  if (!info.is_multi_key) return { key, isPool: false, disabledKeys: [] }
  const keys = keysIn(key)
  const isOff = (at: number) =>
    (info.multi_key_status_list?.[String(at)] ?? channelStatus.enabled) !== channelStatus.enabled
  const disabled = keys.filter((_, at) => isOff(at))
  // A key that stands in the pool twice is off only where it is off in both places.
  const disabledKeys = disabled.filter((each) => keys.every((other, at) => other !== each || isOff(at)))
  return { key: keys.join('\n'), isPool: true, disabledKeys }
}

/** One a line, or a JSON array of service accounts. */
function keysIn(key: string): string[] {
  if (key.startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(key)
      if (Array.isArray(parsed)) return parsed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    } catch {
      // It is lines after all.
    }
  }
  return key.split('\n').map((line) => line.trim())
}
