import { type JsonObject, numberOf } from '#server/lib/json.ts'

/** The dollars a usage report in OpenAI's shape names; undefined when it names none. */
export const reportedUsd = ({ cost }: JsonObject): number | undefined =>
  cost === undefined || cost === null ? undefined : (numberOf(cost) ?? Number.NaN)
