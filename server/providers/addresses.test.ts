import { expect, test } from 'bun:test'
import { checkTable } from '#shared/testing/table.ts'
import { providerOf } from './index.ts'
import type { Operation, Target } from './provider.ts'
import { targetOf, toolsOf } from './testing.ts'

interface Row {
  readonly type: number
  readonly asks?: Partial<Target>
  readonly dialect: string
  readonly url: string
  readonly headers?: Record<string, string>
}

const bearer = { authorization: 'Bearer k' }
const chat = '/v1/chat/completions'
const plainTypes = [2, 4, 5, 6, 7, 9, 10, 12, 13, 19, 22, 25, 26, 28, 29, 31]

const rows: readonly Row[] = [
  ...plainTypes.map((type) => ({
    type,
    dialect: 'openai-chat',
    url: `https://base.example${chat}`,
    headers: bearer,
  })),
  { type: 1, dialect: 'openai-chat', url: `https://base.example${chat}`, headers: bearer },
  {
    type: 1,
    asks: { baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/g/openai' },
    dialect: 'openai-chat',
    url: 'https://gateway.ai.cloudflare.com/v1/a/g/openai/chat/completions',
  },
  {
    type: 8,
    asks: { baseUrl: 'https://x.example/v1' },
    dialect: 'openai-chat',
    url: 'https://x.example/v1/chat/completions',
  },
  {
    type: 8,
    asks: { baseUrl: 'https://x.example/{model}/ask#', model: 'a/b', clientDialect: 'openai-responses' },
    dialect: 'openai-chat',
    url: 'https://x.example/a%2Fb/ask',
  },
  {
    type: 27,
    asks: { baseUrl: 'https://x.example/v1/text/chatcompletion_v2', model: 'MiniMax-M1' },
    dialect: 'openai-chat',
    url: 'https://x.example/v1/text/chatcompletion_v2',
  },
  {
    type: 3,
    asks: { other: '2024-10-21', baseUrl: 'https://x.example/openai/deployments/{model}', model: 'gpt-4.1' },
    dialect: 'openai-chat',
    url: 'https://x.example/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21',
  },
  {
    type: 8,
    asks: { baseUrl: 'https://x.example/v1beta/' },
    dialect: 'openai-chat',
    url: 'https://x.example/v1beta/chat/completions',
  },
  {
    type: 3,
    asks: { other: '2024-10-21', model: 'gpt-3.5-turbo' },
    dialect: 'openai-chat',
    url: 'https://base.example/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-10-21',
    headers: { 'api-key': 'k' },
  },
  {
    type: 3,
    asks: { other: '2024-10-21', query: () => new URLSearchParams('api-version=2025-01-01'), model: 'gpt-4o' },
    dialect: 'openai-chat',
    url: 'https://base.example/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01',
  },
  {
    type: 3,
    asks: { other: '2024-10-21', baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/g/azure/r', model: 'gpt-4o' },
    dialect: 'openai-chat',
    url: 'https://gateway.ai.cloudflare.com/v1/a/g/azure/r/gpt-4o/chat/completions?api-version=2024-10-21',
  },
  { type: 3, dialect: 'openai-chat', url: 'https://base.example/openai/v1/chat/completions' },
  { type: 3, asks: { other: 'v1' }, dialect: 'openai-chat', url: 'https://base.example/openai/v1/chat/completions' },
  {
    type: 3,
    asks: { other: 'preview' },
    dialect: 'openai-chat',
    url: 'https://base.example/openai/v1/chat/completions?api-version=preview',
  },
  ...[1, 8, 20].map((type) => ({
    type,
    asks: { clientDialect: 'openai-responses' },
    dialect: 'openai-responses',
    url: 'https://base.example/v1/responses',
  })),
  {
    type: 1,
    asks: { model: 'gpt-5.4-pro', clientDialect: 'openai-chat' },
    dialect: 'openai-responses',
    url: 'https://base.example/v1/responses',
  },
  {
    type: 3,
    asks: { other: '2025-04-01-preview', clientDialect: 'openai-responses' },
    dialect: 'openai-responses',
    url: 'https://base.example/openai/responses?api-version=2025-04-01-preview',
  },
  {
    type: 3,
    asks: { other: '2024-03-01-preview', clientDialect: 'openai-responses', model: 'gpt-4o' },
    dialect: 'openai-chat',
    url: 'https://base.example/openai/deployments/gpt-4o/chat/completions?api-version=2024-03-01-preview',
  },
  {
    type: 25,
    asks: { clientDialect: 'openai-responses' },
    dialect: 'openai-chat',
    url: `https://base.example${chat}`,
  },
  {
    type: 11,
    dialect: 'palm',
    url: 'https://base.example/v1beta2/models/chat-bison-001:generateMessage',
    headers: { 'x-goog-api-key': 'k' },
  },
  {
    type: 14,
    asks: { passed: (header) => (header === 'anthropic-beta' ? 'b' : undefined) },
    dialect: 'anthropic-messages',
    url: 'https://base.example/v1/messages',
    headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b' },
  },
  {
    type: 15,
    asks: { key: 'bce-v3/ALTAK-1', baseUrl: 'https://aip.baidubce.com' },
    dialect: 'openai-chat',
    url: 'https://qianfan.baidubce.com/v2/chat/completions',
    headers: { authorization: 'Bearer bce-v3/ALTAK-1' },
  },
  {
    type: 15,
    asks: { key: 'id|secret', model: 'ERNIE-4.0-8K' },
    dialect: 'baidu',
    url: 'https://base.example/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=T',
    headers: {},
  },
  {
    type: 16,
    asks: { model: 'glm-5' },
    dialect: 'openai-chat',
    url: 'https://base.example/api/paas/v4/chat/completions',
    headers: bearer,
  },
  {
    type: 16,
    asks: { model: 'chatglm_turbo', stream: true, key: 'testid.testsecret' },
    dialect: 'zhipu-v3',
    url: 'https://base.example/api/paas/v3/model-api/chatglm_turbo/sse-invoke',
  },
  {
    type: 17,
    dialect: 'openai-chat',
    url: 'https://base.example/compatible-mode/v1/chat/completions',
    headers: bearer,
  },
  {
    type: 17,
    asks: { model: 'qwen-plus-internet', stream: true },
    dialect: 'dashscope',
    url: 'https://base.example/api/v1/services/aigc/text-generation/generation',
    headers: { ...bearer, accept: 'text/event-stream', 'x-dashscope-sse': 'enable' },
  },
  {
    type: 17,
    asks: { other: '{"p":1}' },
    dialect: 'dashscope',
    url: 'https://base.example/api/v1/services/aigc/text-generation/generation',
    headers: { ...bearer, 'x-dashscope-plugin': '{"p":1}' },
  },
  {
    type: 18,
    asks: { baseUrl: 'wss://spark-api.xf-yun.com', model: '4.0Ultra' },
    dialect: 'openai-chat',
    url: 'https://spark-api-open.xf-yun.com/v1/chat/completions',
    headers: bearer,
  },
  {
    type: 18,
    asks: { baseUrl: 'wss://spark-api.xf-yun.com', model: 'x1' },
    dialect: 'openai-chat',
    url: 'https://spark-api-open.xf-yun.com/v2/chat/completions',
  },
  {
    type: 20,
    asks: { baseUrl: 'https://openrouter.ai/api' },
    dialect: 'openai-chat',
    url: 'https://openrouter.ai/api/v1/chat/completions',
    headers: { ...bearer, 'x-title': 'Switchyard', 'http-referer': 'https://switchyard.local' },
  },
  {
    type: 20,
    asks: { passed: (header) => `the client's ${header}` },
    dialect: 'openai-chat',
    url: 'https://base.example/v1/chat/completions',
    headers: { ...bearer, 'x-title': "the client's x-title", 'http-referer': "the client's http-referer" },
  },
  { type: 21, dialect: 'aiproxy-library', url: 'https://base.example/api/library/ask', headers: bearer },
  {
    type: 23,
    asks: { baseUrl: 'https://hunyuan.tencentcloudapi.com' },
    dialect: 'openai-chat',
    url: 'https://tokenhub.tencentmaas.com/v1/chat/completions',
    headers: bearer,
  },
  { type: 23, asks: { key: '1|AKIDtest|SKtest' }, dialect: 'tencent', url: 'https://base.example/' },
  {
    type: 23,
    asks: { key: '1|AKIDtest|SKtest', baseUrl: 'https://hunyuan.cloud.tencent.com' },
    dialect: 'tencent-v1',
    url: 'https://hunyuan.cloud.tencent.com/hyllm/v1/chat/completions',
  },
  {
    type: 24,
    asks: { model: 'gemini-4-argon' },
    dialect: 'gemini',
    url: 'https://base.example/v1beta/models/gemini-4-argon:generateContent',
    headers: { 'x-goog-api-key': 'k' },
  },
  {
    type: 24,
    asks: { stream: true, other: 'v1' },
    dialect: 'gemini',
    url: 'https://base.example/v1/models/m:streamGenerateContent?alt=sse',
  },
  {
    type: 27,
    asks: { model: 'MiniMax-M3' },
    dialect: 'openai-chat',
    url: `https://base.example${chat}`,
    headers: bearer,
  },
  {
    type: 27,
    asks: { model: 'abab6-chat' },
    dialect: 'openai-chat',
    url: 'https://base.example/v1/text/chatcompletion_v2',
  },
  { type: 30, dialect: 'ollama', url: 'https://base.example/api/chat', headers: bearer },
  { type: 30, asks: { key: '' }, dialect: 'ollama', url: 'https://base.example/api/chat', headers: {} },
]

const asksOf = ({ query, ...asks }: Partial<Target> = {}) => JSON.stringify({ ...asks, query: query?.().toString() })

const callOf = async (type: number, asks?: Partial<Target>) =>
  providerOf(type).call(targetOf(type, asks), '{}', toolsOf({ access_token: 'T', expires_in: 2_592_000 }))

test('a conversation of every type goes to its address, with its headers', async () => {
  expect(new Set(rows.map((row) => row.type)).size).toBe(31)
  const cells = rows.map((row) => [`type ${row.type}: ${row.url} for ${asksOf(row.asks)}`, row] as const)
  await checkTable(cells, async ({ type, asks, dialect, url, headers }) => {
    const call = await callOf(type, asks)
    expect(providerOf(type).dialect(targetOf(type, asks)).id).toBe(dialect)
    expect(call.url).toBe(url)
    if (headers) expect(call.headers).toEqual(headers)
  })
})

const operationRows: readonly (readonly [number, Operation, Partial<Target>, string])[] = [
  [1, 'speech', {}, '/v1/audio/speech'],
  [1, 'image-edits', {}, '/v1/images/edits'],
  [3, 'embeddings', { other: '2024-10-21', model: 'e.1' }, '/openai/deployments/e1/embeddings?api-version=2024-10-21'],
  [8, 'rerank', {}, '/v1/rerank'],
  [
    15,
    'embeddings',
    { key: 'a|b', model: 'tao-8k' },
    '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/tao_8k?access_token=T',
  ],
  [15, 'rerank', {}, '/v2/rerank'],
  [16, 'images', {}, '/api/paas/v4/images/generations'],
  [17, 'embeddings', {}, '/api/v1/services/embeddings/text-embedding/text-embedding'],
  [17, 'rerank', {}, '/api/v1/services/rerank/text-rerank/text-rerank'],
  [17, 'images', { model: 'wanx-v1' }, '/api/v1/services/aigc/text2image/image-synthesis'],
  [17, 'images', { model: 'qwen-image-2.0' }, '/api/v1/services/aigc/multimodal-generation/generation'],
  [24, 'embeddings', {}, '/v1beta/models/m:batchEmbedContents'],
  [24, 'images', { model: 'imagen-4' }, '/v1beta/models/imagen-4:predict'],
  [27, 'embeddings', { model: 'embo-01' }, '/v1/embeddings'],
  [29, 'transcriptions', {}, '/v1/audio/transcriptions'],
  [30, 'embeddings', {}, '/api/embed'],
  [30, 'completions', {}, '/v1/completions'],
]

test('every operation goes to the path its vendor has for it', async () => {
  const cells = operationRows.map((row) => [`type ${row[0]} has ${row[1]} for ${asksOf(row[2])}`, row] as const)
  await checkTable(cells, async ([type, operation, asks, path]) => {
    const call = await callOf(type, { operation, ...asks })
    expect(providerOf(type).operations).toContain(operation)
    expect(call.url).toBe(`https://base.example${path}`)
  })
})
