import { splitBase } from '#server/providers/endpoint.ts'
import type { Target } from '#server/providers/provider.ts'

/** `other` is the version of the API; else the address may bring it, also as that of the OpenAI-shaped service. */
export function addressOf({ baseUrl, other }: Pick<Target, 'baseUrl' | 'other'>): { root: string; version: string } {
  const { root, version = 'v1beta' } = splitBase(baseUrl, /\/(v\d+[a-z\d]*)(?:\/openai)?$/)
  return { root, version: other || version }
}

export function versioned(target: Pick<Target, 'baseUrl' | 'other'>): string {
  const { root, version } = addressOf(target)
  return `${root}/${version}`
}
