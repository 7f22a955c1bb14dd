import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { BadRequest } from '#server/dialects/dialect.ts'
import type { SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { channelTypeIds } from '#shared/channel-types.ts'
import { pathSegment } from './endpoint.ts'

interface Asked {
  readonly type: number
  readonly model: string
  readonly key?: string
  readonly other?: string
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'p',
  private_key_id: '1',
  private_key: privateKey,
  client_email: 'a@p.iam.gserviceaccount.com',
})

/** Keys of vendors that sign, and their old protocols beside their new ones. */
const keys: Readonly<Record<number, string>> = {
  15: 'id|secret',
  18: 'app|secret|key',
  23: '1|AKIDtest|SKtest',
  32: 'AKIA|secret|us-east-1',
  33: serviceAccount,
}

const cases: readonly Asked[] = [
  ...channelTypeIds.map((type) => ({ type, model: `model-of-${type}`, key: keys[type] })),
  { type: 3, model: 'gpt-5-mini', other: '2024-10-21' },
  { type: 3, model: 'gpt-5-nano', other: '2025-04-01-preview' },
  { type: 3, model: 'gpt-5', other: 'preview' },
  { type: 15, model: 'ERNIE-5', key: 'bce-v3/ALTAK-1' },
  { type: 16, model: 'chatglm_turbo', key: 'id.secret' },
  { type: 16, model: 'chatglm_a/../../b?c#d', key: 'id.secret' },
  { type: 15, model: 'a/../../b?c#d', key: 'id|secret' },
  { type: 18, model: 'Spark-Lite', key: 'app|secret|key' },
  { type: 18, model: 'spark-of-the-channel', key: 'app|secret|key', other: 'v2.1' },
  { type: 18, model: 'Spark-Max', key: 'a-password' },
  { type: 27, model: 'abab6-chat' },
]

const queries = [
  '?api-version=v4.0',
  '?api-version=v1',
  '?api-version=preview',
  '?api-version=2025-04-01-preview',
  '?api-version=..%2Fany%2Fpath',
  '?api-version=../any/path',
  '?api-version=%2e%2e/any/path?x',
  '?api-version=v1%26model=dear%23',
  '?model=dear&deployment=dear&Model=dear&alt=json&api-version=',
  '?&x&api-version&stream=true',
]

const headers: Readonly<Record<string, string>> = {
  'x-model': 'dear',
  'api-version': 'v4.0',
  'x-ms-version': '../any/path',
  'x-forwarded-host': 'elsewhere.example',
  'x-original-url': '/any/path',
  'anthropic-version': '../../dear',
  'openai-beta': 'model=dear',
  'http-referer': 'https://elsewhere.example/',
  'x-title': 'dear',
}

let scene: RelayScene
let upstream: SceneChannel
beforeAll(async () => {
  scene = await startRelayScene()
  upstream = await scene.channel(({ path }: SeenRequest) =>
    path.includes('token')
      ? Response.json({ access_token: 'T', expires_in: 2_592_000 })
      : Response.json({ error: { message: 'No.' } }, { status: 400 }),
  )
  await scene.option('ModelRatio', JSON.stringify(Object.fromEntries(cases.map(({ model }) => [model, 1]))))
  for (const [number, { type, model, key = 'k', other = '' }] of cases.entries())
    await scene.root.call(api.channels.create, {
      name: `of-${type}-${number}`,
      type,
      key,
      models: model,
      base_url: upstream.url,
      other: type === 41 ? 'account' : other,
    })
})
afterAll(() => scene.stop())

const withoutTokens = (seen: readonly SeenRequest[]) => seen.filter(({ path }) => !path.includes('token'))

/** Host, path and model of what the vendor is asked, and the names in its query. */
const addressOf = ({ url, path, body, raw }: SeenRequest) => ({
  host: url.host,
  path,
  names: [...url.searchParams.keys()].filter((name) => name !== 'api-version'),
  model: body.model ?? body.Model,
  isSocket: raw === '',
})

async function asked(path: string, model: string, init: RequestInit = {}) {
  upstream.seen.length = 0
  await (await scene.post(path, { model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 9 }, init)).text()
  return withoutTokens(upstream.seen)
}

describe('host, path and model of what a vendor is asked', () => {
  test.each(cases.map((each) => [each.type, each.model, each.other ?? '', each] as const))(
    'are not changed by what a client writes beside its body: type %i, %s %s',
    async (_type, model, _other, _each) => {
      for (const door of ['/v1/chat/completions', '/v1/messages', '/v1/responses']) {
        const plain = (await asked(door, model)).map(addressOf)
        if (door === '/v1/chat/completions') expect(plain).not.toEqual([])
        for (const query of queries)
          expect([query, (await asked(door + query, model, { headers })).map(addressOf)]).toEqual([query, plain])
      }
    },
    30_000,
  )

  test('a name with a path, a query or a mark in it stays one segment', async () => {
    for (const { model } of cases.filter(({ model: name }) => name.includes('?'))) {
      const [seen] = await asked('/v1/chat/completions', model)
      expect(seen?.path).toContain(encodeURIComponent(model))
    }
  })

  test.each(['.', '..'])('a name of dots alone stands in no path: %s', (model) => {
    expect(() => pathSegment(model)).toThrow(BadRequest)
  })

  test.each(['x/../y', '../../dear', 'dear?x', 'dear#x', '%2e%2e%2fdear', 'gpt-4o?model=dear', 'gpt-4o/../dear', '..'])(
    'a name that no channel has is unknown: %s',
    async (model) => {
      upstream.seen.length = 0
      expect((await scene.chat({ model })).status).toBe(404)
      const inPath = `/v1beta/models/${encodeURIComponent(model)}:generateContent`
      expect((await scene.post(inPath, { contents: [{ parts: [{ text: 'hi' }] }] })).status).toBe(404)
      expect(upstream.seen).toEqual([])
    },
  )

  test('an API version of Azure stays, as a value', async () => {
    for (const [query, version] of [
      ['?api-version=2025-01-01-preview', '2025-01-01-preview'],
      ['?api-version=..%2Fany%26x%3D1', '../any&x=1'],
      ['', '2024-10-21'],
      ['?api-version=', '2024-10-21'],
    ]) {
      const [seen] = await asked(`/v1/chat/completions${query}`, 'gpt-5-mini')
      expect(seen?.path).toBe('/openai/deployments/gpt-5-mini/chat/completions')
      expect([...(seen?.url.searchParams ?? [])]).toEqual([['api-version', version ?? '']])
    }
  })
})
