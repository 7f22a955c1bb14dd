import type { OpenaiApi } from '#server/providers/openai/api-rows.ts'

/** By which API vendors took requests with tools after they had refused the other, on this node. */
export interface ApiFindings {
  find(place: ApiPlace, now: number): OpenaiApi | null
  add(place: ApiPlace, api: OpenaiApi, now: number): void
}

/** A channel, and the name of the model there. */
export interface ApiPlace {
  readonly channelId: number
  readonly model: string
}

const keptMs = 3_600_000
const keptMax = 10_000

export function createApiFindings(): ApiFindings {
  const findings = new Map<string, { readonly api: OpenaiApi; readonly until: number }>()
  const keyOf = ({ channelId, model }: ApiPlace): string => `${channelId}\n${model}`
  return {
    find(place, now) {
      if (findings.size === 0) return null
      const finding = findings.get(keyOf(place))
      return finding && now < finding.until ? finding.api : null
    },
    add(place, api, now) {
      const key = keyOf(place)
      findings.delete(key)
      findings.set(key, { api, until: now + keptMs })
      const [oldest] = findings.size > keptMax ? findings.keys() : []
      if (oldest !== undefined) findings.delete(oldest)
    },
  }
}
