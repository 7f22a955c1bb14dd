import { parseObject } from '#server/lib/json.ts'
import type { GroupLimits } from '#shared/limits.ts'

/** Requests of a user in some minutes: all, and those that succeed. 0: any number. */
type Pair = readonly [all: number, successful: number]

const pairOf = (value: unknown): Pair | null => {
  if (!Array.isArray(value)) return null
  const [all, successful] = value.map(Number)
  return [all ?? 0, successful ?? 0]
}

const nameMax = 32

/** Limits of requests as ours, which count a minute; null when nothing is limited there. */
export function limitsOf(saved: ReadonlyMap<string, string>, groups: ReadonlySet<string>): GroupLimits | null {
  const own = new Map(Object.entries(parseObject(saved.get('ModelRequestRateLimitGroup') ?? '')))
  const isOn = saved.get('ModelRequestRateLimitEnabled')
  if (isOn === 'false' || (isOn === undefined && own.size === 0)) return null
  const minutes = Math.max(1, Number(saved.get('ModelRequestRateLimitDurationMinutes') ?? 1) || 1)
  const common: Pair =
    isOn === 'true'
      ? [
          Number(saved.get('ModelRequestRateLimitCount') ?? 0) || 0,
          Number(saved.get('ModelRequestRateLimitSuccessCount') ?? 1000) || 0,
        ]
      : [0, 0]
  const limits = [...new Set([...groups, ...own.keys()])].flatMap((group) => {
    const limited = (pairOf(own.get(group)) ?? common).filter((count) => count > 0)
    if (limited.length === 0 || group.length > nameMax) return []
    const rpm = Math.max(1, Math.floor(Math.min(...limited) / minutes))
    return [[group, { rpm, tpm: 0, parallel: 0 }] as const]
  })
  return limits.length === 0 ? null : Object.fromEntries(limits)
}
