import { expect, test } from 'bun:test'
import { providerOf } from './index.ts'
import type { Operation, Target } from './provider.ts'
import { targetOf, toolsOf } from './testing.ts'

/** Addresses as the pages of vendors show them, and where that leads. */
const copiedRows: readonly (readonly [number, string, Operation, Partial<Target>, string])[] = [
  [3, '/openai/v1', 'chat', { other: 'v1' }, '/openai/v1/chat/completions'],
  [3, '/openai/v1', 'embeddings', { other: '2024-10-21' }, '/openai/deployments/m/embeddings?api-version=2024-10-21'],
  [17, '/compatible-mode/v1', 'chat', {}, '/compatible-mode/v1/chat/completions'],
  [17, '/compatible-mode/v1', 'embeddings', {}, '/api/v1/services/embeddings/text-embedding/text-embedding'],
  [17, '/compatible-mode/v1', 'rerank', {}, '/api/v1/services/rerank/text-rerank/text-rerank'],
  [17, '/api/v1', 'chat', {}, '/compatible-mode/v1/chat/completions'],
  [24, '/v1beta', 'chat', {}, '/v1beta/models/m:generateContent'],
  [24, '/v1beta', 'chat', { other: 'v1' }, '/v1/models/m:generateContent'],
  [24, '/v1', 'embeddings', {}, '/v1/models/m:batchEmbedContents'],
  [24, '/v1beta/openai', 'chat', {}, '/v1beta/models/m:generateContent'],
  [30, '/v1', 'chat', {}, '/api/chat'],
  [30, '/v1', 'completions', {}, '/v1/completions'],
  [40, '/compatibility/v1', 'chat', {}, '/compatibility/v1/chat/completions'],
  [40, '/v2', 'rerank', {}, '/v2/rerank'],
  [41, '/client/v4', 'chat', { other: 'a' }, '/client/v4/accounts/a/ai/v1/chat/completions'],
]

test.each(copiedRows)('type %i at an address ending in %s has %s', async (type, ending, operation, asks, path) => {
  const target = targetOf(type, { operation, baseUrl: `https://base.example${ending}`, ...asks })
  const { url } = await providerOf(type).call(target, '{}', toolsOf())
  expect(url).toBe(`https://base.example${path}`)
})

test.each([
  [3, '/openai/v1', 'v1', '/openai/v1/models'],
  [17, '/api/v1', '', '/compatible-mode/v1/models'],
  [24, '/v1beta', '', '/v1beta/models?pageSize=1000'],
  [30, '/v1', '', '/api/tags'],
  [41, '/client/v4', 'a', '/client/v4/accounts/a/ai/models/search?page=1&per_page=100'],
])('the models of type %i at an address ending in %s are listed', async (type, ending, other, path) => {
  const tools = toolsOf({})
  await providerOf(type).models?.({ type, key: 'k', other, baseUrl: `https://base.example${ending}` }, tools)
  expect(tools.seen.map(({ url }) => url)).toEqual([`https://base.example${path}`])
})
