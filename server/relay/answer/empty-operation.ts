import { objectOf } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import { reportedUsage } from '#server/relay/metering/operation-consumption.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** The fields that hold the result of an operation. They may be empty: a silent recording, pictures that were filtered out. */
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

/** Each text has a vector, so an empty list is a fault of the vendor; not so when the client sent no text at all. */
function wantsVectors({ entrance, payload }: Ask): boolean {
  if (entrance.door.operation !== 'embeddings' || payload.kind !== 'json') return false
  const { input, requests = input } = payload.body
  return [requests].flat().some((text) => text !== '')
}

/** The answer has no result and reports no usage. */
export function isEmpty(ask: Ask, answer: unknown): boolean {
  if (reportedUsage(answer)) return false
  const body = objectOf(answer) ?? {}
  const needsEntries = wantsVectors(ask)
  const isNone = (name: string) => body[name] == null || (needsEntries && isEmptyList(body[name]))
  return fields[ask.entrance.door.operation]?.every(isNone) ?? false
}
