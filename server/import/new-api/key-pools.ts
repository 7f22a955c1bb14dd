import { z } from 'zod'
import type { ChannelFacts } from '#server/import/form.ts'
import { parseJson } from '#server/lib/json.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { SourceChannel } from './rows.ts'

const Info = z
  .object({
    is_multi_key: z.boolean().nullish(),
    multi_key_status_list: z.record(z.string(), z.number()).nullish(),
  })
  .nullable()

type Keys = Pick<ChannelFacts, 'key' | 'isPool' | 'disabledKeys' | 'doubts'>

/** The key, or the pool of keys with those that are switched off. */
export function keysOf({ key, channel_info }: SourceChannel): Keys {
  const info = Info.safeParse(parseJson(channel_info || 'null'))
  const doubts = info.success ? [] : ['its pool of keys cannot be read']
  if (!info.data?.is_multi_key) return { key, isPool: false, disabledKeys: [], doubts }
  const keys = keysIn(key)
  const { multi_key_status_list: statuses } = info.data
  const isOff = (at: number) => (statuses?.[String(at)] ?? channelStatus.enabled) !== channelStatus.enabled
  const disabled = keys.filter((_, at) => isOff(at))
  // A key that stands in the pool twice is off only where it is off in both places.
  const disabledKeys = disabled.filter((each) => keys.every((other, at) => other !== each || isOff(at)))
  return { key: keys.join('\n'), isPool: true, disabledKeys, doubts }
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
