import { z } from 'zod'
import { fault } from './faults.ts'

/** The largest limit that can be set. */
const limitMax = 1_000_000_000_000

export const Limit = z
  .number(fault('limit.whole'))
  .int(fault('limit.whole'))
  .min(0, fault('limit.negative'))
  .max(limitMax, fault('limit.too_large', { max: limitMax }))

/** Requests and tokens a minute, and requests at one time; 0: no limit. */
export interface Limits {
  readonly rpm: number
  readonly tpm: number
  readonly parallel: number
}

export const limitNames = ['rpm', 'tpm', 'parallel'] as const
export type LimitName = (typeof limitNames)[number]

export const LimitChange = z.object({ rpm: Limit.optional(), tpm: Limit.optional(), parallel: Limit.optional() })

export const LimitFields = z.object({ rpm: z.number(), tpm: z.number(), parallel: z.number() })

/** Limits by user group, as the option holds them. */
export const GroupLimits = z.record(
  z.string().min(1).max(32),
  z.strictObject({ rpm: Limit.default(0), tpm: Limit.default(0), parallel: Limit.default(0) }),
)
export type GroupLimits = z.output<typeof GroupLimits>

const none: Limits = { rpm: 0, tpm: 0, parallel: 0 }

/** What holds for a user of several groups: the widest of each. A group that is not named has no limits. */
export function widestLimits(limits: GroupLimits, groups: readonly string[]): Limits {
  if (!groups.some((group) => Object.hasOwn(limits, group))) return none
  const own = groups.map((group) => (Object.hasOwn(limits, group) ? limits[group] : undefined) ?? none)
  const widest = (name: LimitName): number => {
    const values = own.map((one) => one[name])
    return values.includes(0) ? 0 : Math.max(0, ...values)
  }
  return { rpm: widest('rpm'), tpm: widest('tpm'), parallel: widest('parallel') }
}
