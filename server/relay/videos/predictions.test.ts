import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let stranger = ''
beforeAll(async () => {
  scene = await startRelayScene({ quota: 20 * startingQuota, tokenQuota: 20 * startingQuota })
  await scene.root.call(api.users.update, { id: 1, quota: startingQuota })
  stranger = `sk-${(await scene.root.call(api.tokens.create, { name: 'stranger', remain_quota: 1000 })).key}`
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const channel = (behaviour: Behaviour, models: string, more: object = {}) =>
  scene.channel(behaviour, { type: 24, key: 'googles-key', models, ...more })
const call = (path: string, init: RequestInit = {}, key = scene.key) =>
  fetch(scene.app.url + path, { ...init, headers: { 'x-goog-api-key': key, ...init.headers } })
const post = (path: string, body: object, key?: string) =>
  call(path, { method: 'POST', body: JSON.stringify(body) }, key)

describe('a prediction', () => {
  const imagen = 'imagen-4.0-generate-001'
  const picture = { mimeType: 'image/png', bytesBase64Encoded: 'aGk=' }
  const ask = { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 3 } }

  test('costs each picture that was drawn, and passes as it is', async () => {
    const vendor = await channel(
      () => Response.json({ predictions: [picture, picture, { raiFilteredReason: 'no' }] }),
      imagen,
    )
    const bill = await scene.bill(async () => {
      const answer = await post(`/v1beta/models/${imagen}:predict`, ask)
      expect(await answer.json()).toEqual({ predictions: [picture, picture, { raiFilteredReason: 'no' }] })
    })
    expect(vendor.seen[0]?.path).toBe(`/v1beta/models/${imagen}:predict`)
    expect(vendor.seen[0]?.body).toEqual(ask)
    // Two at $0.04.
    expectCharge(bill, 40_000, { model_name: imagen })
  })

  test.each([
    ['in the other spelling', { sample_count: 8 }],
    ['in both', { sampleCount: 1, sample_count: 8 }],
  ])('that says how many pictures it wants %s is held for all of them', async (_, parameters) => {
    const vendor = await channel(() => Response.json({ predictions: Array(8).fill(picture) }), imagen)
    // Four at $0.04 are 80,000, eight twice as much.
    const { key } = await scene.user.call(api.tokens.create, { name: 'four', remain_quota: 100_000 })
    expectUntouched(
      await scene.bill(async () => {
        const answer = await post(`/v1beta/models/${imagen}:predict`, { ...ask, parameters }, `sk-${key}`)
        expect(answer.status).toBe(402)
      }),
    )
    expect(vendor.seen).toHaveLength(0)
  })

  test('that is filtered or refused costs nothing, without a model or money it is not asked', async () => {
    const vendor = await channel(() => Response.json({ error: { code: 400, message: 'no' } }, { status: 400 }), imagen)
    const refused = await scene.bill(async () =>
      expect((await post(`/v1beta/models/${imagen}:predict`, ask)).status).toBe(400),
    )
    expectFree(refused, { outcome: 'failed' })
    expectUntouched(
      await scene.bill(async () => {
        expect((await post('/v1beta/models/imagen-9:predict', ask)).status).toBe(404)
        expect((await post(`/v1beta/models/${imagen}:predict`, ask, stranger)).status).toBe(402)
        expect((await post(`/v1beta/models/${imagen}:predict`, ask, 'sk-nobody')).status).toBe(401)
      }),
    )
    expect(vendor.seen).toHaveLength(1)
  })
})

describe('a long-running prediction', () => {
  const veo = 'veo-3.1-generate-preview'
  const name = `models/${veo}/operations/abc123`
  const done = (base: string, samples = 1) => ({
    name,
    done: true,
    response: {
      generateVideoResponse: {
        generatedSamples: Array.from({ length: samples }, (_, at) => ({
          video: { uri: `${base}/v1beta/files/film${at}:download?alt=media` },
        })),
      },
    },
  })
  const studio = (answer: { now: (base: string) => object }): Behaviour => {
    return ({ path, url }) => {
      if (path.endsWith(':predictLongRunning')) return Response.json({ name })
      if (path.includes(':download')) return new Response('film', { headers: { 'content-type': 'video/mp4' } })
      return Response.json(answer.now(url.origin))
    }
  }
  const begin = (parameters: object = {}) =>
    post(`/v1beta/models/${veo}:predictLongRunning`, { instances: [{ prompt: 'a cat' }], parameters })
  async function lookAgain(): Promise<void> {
    scene.app.time.now = (scene.app.time.now ?? Date.now()) + 60_000
    await scene.app.jobs.find((job) => job.name === 'look-at-long-work')?.run(scene.app.ctx)
  }

  test.each([
    ['its usual eight seconds', {}, 1, 1_600_000],
    ['the seconds and films it is asked for', { durationSeconds: 4, sampleCount: 2 }, 2, 1_600_000],
    ['only what was made of it', { durationSeconds: 4, sampleCount: 2 }, 1, 800_000],
  ])('costs %s, once, when it is done', async (_, parameters, made, cost) => {
    const answer = { now: (_base: string): object => ({ name }) }
    await channel(studio(answer), veo)
    const bill = await scene.bill(async () => {
      expect(await (await begin(parameters)).json()).toEqual({ name })
      expect(await (await call(`/v1beta/${name}`)).json()).toEqual({ name })
      answer.now = (base) => done(base, made)
      await lookAgain()
      await lookAgain()
      expect((await call(`/v1beta/${name}`)).status).toBe(200)
    })
    expect(bill).toMatchObject({ user: -cost, requests: 1, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: cost, model_name: veo, outcome: 'done' })
  })

  test('shown with an error that is none is paid', async () => {
    await channel(studio({ now: (base) => ({ ...done(base), error: null }) }), veo)
    const bill = await scene.bill(async () => {
      await begin()
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: -1_600_000, requests: 1, holds: 0 })
  })

  test('costs no more films than were asked for', async () => {
    await channel(studio({ now: (base) => done(base, 50) }), veo)
    const bill = await scene.bill(async () => {
      await begin()
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: -1_600_000, requests: 1, holds: 0 })
  })

  test('named before it is done is nobody’s to fetch until it is paid', async () => {
    const answer = { now: (base: string): object => ({ ...done(base), done: false }) }
    await channel(studio(answer), veo)
    const film = '/v1beta/files/film0:download?alt=media'
    await begin()
    await call(`/v1beta/${name}`)
    expect((await call(film)).status).toBe(404)
    answer.now = (base) => done(base)
    await lookAgain()
    expect(await (await call(film)).text()).toBe('film')
  })

  test('costs more where a resolution has a price of its own', async () => {
    const lite = 'veo-3.1-lite-generate-preview'
    await channel(studio({ now: (base) => done(base) }), lite)
    const bill = await scene.bill(async () => {
      const parameters = { durationSeconds: 8, resolution: '1080p' }
      await post(`/v1beta/models/${lite}:predictLongRunning`, { instances: [{ prompt: 'a' }], parameters })
      await call(`/v1beta/${name}`)
    })
    expect(bill).toMatchObject({ user: -320_000, holds: 0 })
  })

  test('that fails costs nothing', async () => {
    await channel(studio({ now: () => ({ name, done: true, error: { code: 13, message: 'no' } }) }), veo)
    const bill = await scene.bill(async () => {
      await begin()
      expect(await (await call(`/v1beta/${name}`)).json()).toMatchObject({ error: { code: 13 } })
    })
    expect(bill).toMatchObject({ user: 0, requests: 0, holds: 0 })
  })

  test('belongs to its user, and so do its films, at addresses of the relay', async () => {
    const vendor = await channel(studio({ now: (base) => done(base) }), veo)
    await begin()
    expect((await call(`/v1beta/${name}`, {}, stranger)).status).toBe(404)
    const answer = (await (await call(`/v1beta/${name}`)).json()) as ReturnType<typeof done>
    const uri = answer.response.generateVideoResponse.generatedSamples[0]?.video.uri ?? ''
    expect(uri).toBe(`${scene.app.url}/v1beta/files/film0:download?alt=media`)
    const asked = vendor.seen.length
    expect((await fetch(uri, { headers: { 'x-goog-api-key': stranger } })).status).toBe(404)
    expect(vendor.seen).toHaveLength(asked)
    const film = await fetch(uri, { headers: { 'x-goog-api-key': scene.key } })
    expect(await film.text()).toBe('film')
    expect(vendor.seen.at(-1)?.headers.get('x-goog-api-key')).toBe('googles-key')
  })

  test.each([
    ['a resolution in capitals', { durationSeconds: 8, resolution: ' 1080P ' }, 320_000],
    ['the longer of two lengths', { durationSeconds: 1, duration_seconds: 8 }, 200_000],
    ['the larger of two counts', { durationSeconds: 4, sampleCount: 1, sample_count: 2 }, 200_000],
  ])('holds %s', async (_, parameters, held) => {
    const lite = 'veo-3.1-lite-generate-preview'
    const answer = { now: (_base: string): object => ({ name }) }
    await channel(studio(answer), lite)
    const before = await scene.books()
    await post(`/v1beta/models/${lite}:predictLongRunning`, { instances: [{ prompt: 'a' }], parameters })
    expect(before.userQuota - (await scene.books()).userQuota).toBe(held)
    answer.now = () => ({ name, done: true, error: { code: 1 } })
    await lookAgain()
  })

  test.each(['https:\\/\\/relay.test\\/v1beta\\/files\\/theirs', 'https://relay.test/v1beta/\\u0066iles/theirs'])(
    'of somebody else’s film is refused however its address is spelt: %s',
    async (uri) => {
      const vendor = await channel(studio({ now: (base) => done(base) }), veo)
      const body = `{"instances":[{"prompt":"x","video":{"uri":"${uri}"}}]}`
      const answer = await call(`/v1beta/models/${veo}:predictLongRunning`, { method: 'POST', body })
      expect(answer.status).toBe(404)
      expect(vendor.seen).toHaveLength(0)
    },
  )

  test('of somebody else’s film is refused', async () => {
    const vendor = await channel(studio({ now: (base) => done(base) }), veo)
    const instances = [{ prompt: 'x', video: { uri: 'https://relay.test/v1beta/files/unknown:download?alt=media' } }]
    expect((await post(`/v1beta/models/${veo}:predictLongRunning`, { instances })).status).toBe(404)
    expect((await begin({ durationSeconds: -1 })).status).toBe(400)
    expect(vendor.seen).toHaveLength(0)
  })
})
