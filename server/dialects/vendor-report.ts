import { type JsonObject, numberOf } from '#server/lib/json.ts'
import type { Usage } from './chat.ts'

/** OpenAI's word for how a request was served; undefined for words without a price of their own. */
export function servingTier(word: unknown): Usage['tier'] {
  switch (word) {
    case 'priority':
    case 'fast':
      return 'priority'
    case 'flex':
    case 'ultrafast':
      return word
    case 'default':
    case 'standard':
    case 'on_demand':
      return 'standard'
    default:
      return undefined
  }
}

/** Tokens of a total beyond prompt and completion: output that the answer does not show. */
export const unseenOutput = (total: number | undefined, counted: number): number => Math.max(0, (total ?? 0) - counted)

/** All tokens read from a cache, for vendors that do not divide them by kind. */
export const cachedTokens = ({ cacheRead = 0, audioCacheRead = 0 }: Usage): number => cacheRead + audioCacheRead

/** The dollars a usage report in OpenAI's shape names; undefined when it names none. */
export const reportedUsd = ({ cost }: JsonObject): number | undefined =>
  cost === undefined || cost === null ? undefined : (numberOf(cost) ?? Number.NaN)
