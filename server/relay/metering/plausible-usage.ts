import type { Usage } from '#server/dialects/chat.ts'
import { amountOf } from '#server/lib/json.ts'

const inputClasses = [
  'cacheRead',
  'audioCacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'audioInput',
  'imageInput',
] as const
const outputClasses = ['audioOutput', 'imageOutput', 'reasoning'] as const

const isCount = (tokens: number): boolean => Number.isFinite(tokens) && tokens >= 0

/** More than any model reads or writes in one go. */
const mostTokens = 100_000_000

function isTrue(usage: Usage): boolean {
  const { input, output } = usage
  if (!isCount(input) || !isCount(output) || input > mostTokens || output > mostTokens) return false
  for (const name of inputClasses) if (!isPart(usage[name], input)) return false
  for (const name of outputClasses) if (!isPart(usage[name], output)) return false
  return true
}

const isPart = (tokens: number | undefined, whole: number): boolean => isCount(tokens ?? 0) && (tokens ?? 0) <= whole

/** A day: longer than any vendor takes in one go. */
const mostSeconds = 86_400

/** Whether a length that a vendor reports cannot be true. */
export const isTooLong = (seconds: unknown): boolean => Number(seconds) > mostSeconds

/** A reported length as it may be true, 0 when it may not. */
export const plausibleSeconds = (seconds: unknown): number => (isTooLong(seconds) ? 0 : amountOf(seconds))

/** An impossible count is ignored, and the relay counts itself. */
const counted = (tokens: number): number => (isCount(tokens) && tokens <= mostTokens ? tokens : 0)

/** Usage as it may be true; the same object when it may. No part is larger than what it is a part of. */
export function plausibleUsage(usage: Usage): Usage {
  if (isTrue(usage)) return usage
  const input = counted(usage.input)
  const output = counted(usage.output)
  const within = (names: readonly (keyof Usage)[], most: number) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const tokens = usage[name]
        return typeof tokens === 'number' ? [[name, Math.min(counted(tokens), most)]] : []
      }),
    )
  return { ...usage, input, output, ...within(inputClasses, input), ...within(outputClasses, output) }
}
