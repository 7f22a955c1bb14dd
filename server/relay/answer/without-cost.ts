import { objectOf, parseJson } from '#server/lib/json.ts'

const names = ['cost', 'cost_details', 'is_byok'] as const

/** Removes the price the vendor charged the operator from the usage report: it is not the price the client pays. */
export function withoutCost(text: string): string {
  if (!text.includes('"cost')) return text
  const body = objectOf(parseJson(text))
  if (!body) return text
  for (const usage of [objectOf(body.usage), objectOf(objectOf(body.response)?.usage)]) {
    if (usage) for (const name of names) delete usage[name]
  }
  return JSON.stringify(body)
}
