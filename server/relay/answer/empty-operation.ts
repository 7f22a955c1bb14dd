import { objectOf } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import { reportedUsage } from '#server/relay/metering/operation-consumption.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** Where the answers of an operation stand. They may say nothing: nobody speaks in a recording, pictures were filtered out. */
const fields: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  embeddings: ['data', 'embedding', 'embeddings'],
  rerank: ['results', 'data'],
  moderations: ['results'],
  speech: ['audio', 'data', 'url', 'output'],
  transcriptions: ['text', 'segments', 'words'],
  translations: ['text', 'segments'],
  images: ['data', 'images'],
  'image-edits': ['data', 'images'],
  'image-variations': ['data', 'images'],
  compact: ['output'],
  caches: ['name'],
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Each text has its vector, so an empty list is none of what was asked for; who asks for nothing must not bring a channel down. */
function wantsVectors({ entrance, payload }: Ask): boolean {
  if (entrance.door.operation !== 'embeddings' || payload.kind !== 'json') return false
  const { input, requests = input } = payload.body
  return [requests].flat().some((text) => text !== '')
}

/** Nothing of what was asked for, and nothing that was used for it. */
export function isEmpty(ask: Ask, answer: unknown): boolean {
  if (reportedUsage(answer)) return false
  const body = objectOf(answer) ?? {}
  const needsEntries = wantsVectors(ask)
  const isNone = (name: string) => body[name] == null || (needsEntries && isEmptyList(body[name]))
  return fields[ask.entrance.door.operation]?.every(isNone) ?? false
}
