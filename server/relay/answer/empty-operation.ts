import { objectOf } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** Where the answers of an operation stand. */
const answersIn: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  embeddings: ['data', 'embedding', 'embeddings'],
  rerank: ['results', 'data'],
  moderations: ['results'],
  transcriptions: ['text', 'segments', 'words'],
  translations: ['text', 'segments'],
}

/** Nothing of what was asked for; a recording in which nobody speaks has a text without words. */
export function isEmpty(ask: Ask, answer: unknown): boolean {
  const body = objectOf(answer) ?? {}
  const isMissing = (name: string) => body[name] == null || (Array.isArray(body[name]) && body[name].length === 0)
  return answersIn[ask.entrance.door.operation]?.every(isMissing) ?? false
}
