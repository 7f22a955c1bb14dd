import { denseTokens } from '#server/billing/counting/dense-tokens.ts'
import { estimateTokens } from '#server/billing/counting/token-estimate.ts'
import { amountOf, arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import { sizeOf } from './input-size.ts'

/** Vendors that sell rankings by the search take so many documents for one, and cut those that are longer with their query. */
const documentsPerSearch = 100
const tokensPerDocument = 500
const leastPerDocument = 100

const tokensOf = (document: unknown): number =>
  estimateTokens(textOf(document) ?? (document === undefined ? '' : JSON.stringify(document)))

/** What a ranking compares with its query, by the names vendors give it. */
export const documentsIn = ({ documents, texts, passages }: JsonBody): readonly unknown[] =>
  [documents, texts, passages].map(arrayOf).reduce((most, list) => (list.length > most.length ? list : most))

/** The query is read with each document; tokens of all but its first reading, where a few too few would be many. */
export function queryReadAgain({ entrance, payload }: Ask): number {
  if (entrance.door.operation !== 'rerank' || payload.kind !== 'json') return 0
  const { query } = payload.body
  const each = Math.max(sizeOf({ query }).tokens, denseTokens(textOf(query) ?? ''))
  return Math.max(0, documentsIn(payload.body).length - 1) * each
}

/** How many searches a ranking may be sold as; anything else is one. */
export function mostSearches({ entrance, payload }: Ask): number {
  if (entrance.door.operation !== 'rerank' || payload.kind !== 'json') return 1
  const { query, documents } = payload.body
  const room = Math.max(leastPerDocument, tokensPerDocument - tokensOf(query))
  const pieces = arrayOf(documents).map((document) => Math.max(1, Math.ceil(tokensOf(document) / room)))
  return Math.max(1, Math.ceil(pieces.reduce((sum, piece) => sum + piece, 0) / documentsPerSearch))
}

/** How many its vendor says it was, as far as that may be true; one where it says nothing. */
export function billedSearches(ask: Ask, body: unknown): number {
  const said = Math.ceil(amountOf(objectOf(objectOf(objectOf(body)?.meta)?.billed_units)?.search_units))
  return said > 1 ? Math.min(said, mostSearches(ask)) : 1
}
