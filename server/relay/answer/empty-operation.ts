import { objectOf } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import { reportedUsage } from '#server/relay/metering/operation-consumption.ts'
import type { Ask } from '#server/relay/request/ask.ts'

type Fields = Readonly<Partial<Record<Operation, readonly string[]>>>

/** Where an answer stands that has at least one entry. */
const lists: Fields = {
  embeddings: ['data', 'embedding', 'embeddings'],
  rerank: ['results', 'data'],
  moderations: ['results'],
}

/** Where an answer stands that may say nothing: a recording in which nobody speaks, pictures that were filtered out. */
const fields: Fields = {
  speech: ['audio', 'data', 'url', 'output'],
  transcriptions: ['text', 'segments', 'words'],
  translations: ['text', 'segments'],
  images: ['data', 'images'],
  'image-edits': ['data', 'images'],
  'image-variations': ['data', 'images'],
  compact: ['output'],
  caches: ['name'],
}

/** Nothing of what was asked for, and nothing that was used for it. */
export function isEmpty(ask: Ask, answer: unknown): boolean {
  if (reportedUsage(answer)) return false
  const body = objectOf(answer) ?? {}
  const { operation } = ask.entrance.door
  const isMissing = (name: string) => body[name] == null
  const isNone = (name: string) => isMissing(name) || (Array.isArray(body[name]) && body[name].length === 0)
  return fields[operation]?.every(isMissing) ?? lists[operation]?.every(isNone) ?? false
}
