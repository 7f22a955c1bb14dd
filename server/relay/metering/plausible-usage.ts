import type { Usage } from '#server/dialects/chat.ts'

const inputClasses = ['cacheRead', 'cacheWrite', 'cacheWriteLong', 'audioInput', 'imageInput'] as const
const outputClasses = ['audioOutput', 'imageOutput', 'reasoning'] as const

const isCount = (tokens: number): boolean => Number.isFinite(tokens) && tokens >= 0

/** More than any model reads or writes in one go. */
const mostTokens = 100_000_000

const isTrue = (usage: Usage): boolean =>
  isCount(usage.input) &&
  isCount(usage.output) &&
  usage.input <= mostTokens &&
  usage.output <= mostTokens &&
  inputClasses.every((name) => isCount(usage[name] ?? 0) && (usage[name] ?? 0) <= usage.input) &&
  outputClasses.every((name) => isCount(usage[name] ?? 0) && (usage[name] ?? 0) <= usage.output)

/** A count that cannot be is none: the relay counts itself. */
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
