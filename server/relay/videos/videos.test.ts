import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { type Behaviour, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let stranger = ''
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.root.call(api.users.update, { id: 1, quota: startingQuota })
  stranger = `sk-${(await scene.root.call(api.tokens.create, { name: 'stranger', remain_quota: 1000 })).key}`
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  await scene.user.call(api.tokens.update, { id: scene.tokenId, remain_quota: startingQuota })
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

/** A vendor of videos; `status` is what it says of them. */
function studio(said: { status: string; seconds?: string }): Behaviour {
  let made = 0
  return ({ path, body, url }) => {
    if (path === '/v1/videos' || path.endsWith('/remix')) {
      made += 1
      const { model = 'sora-2', seconds = '4', size = '720x1280' } = body
      return Response.json({ id: `video_${made}`, object: 'video', status: 'queued', model, seconds, size })
    }
    if (path.endsWith('/content'))
      return new Response(`film ${url.search}`, { headers: { 'content-type': 'video/mp4' } })
    return Response.json({ id: path.split('/').at(-1), object: 'video', model: 'sora-2', seconds: '4', ...said })
  }
}

const call = (path: string, init: RequestInit = {}, key = scene.key) =>
  fetch(scene.app.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })

const lookJob = () => scene.app.jobs.find(({ name }) => name === 'look-at-long-work')

/** What the relay finds out by itself, a minute later. */
async function lookAgain(): Promise<void> {
  scene.app.time.now = (scene.app.time.now ?? Date.now()) + 60_000
  await lookJob()?.run(scene.app.ctx)
}

const create = (body: object | FormData) => scene.post('/v1/videos', body)
const channel = (behaviour: Behaviour, more: object = {}) =>
  scene.channel(behaviour, { models: 'sora-2,sora-2-pro', ...more })

describe('a video', () => {
  test.each([
    ['its usual four seconds', { model: 'sora-2', prompt: 'a cat' }, 200_000, '4'],
    ['the seconds it is asked for', { model: 'sora-2', prompt: 'a cat', seconds: '8' }, 400_000, '8'],
    ['more in a large size', { model: 'sora-2-pro', prompt: 'x', size: '1792x1024' }, 1_000_000, '4'],
  ])('costs %s, once, when it is done', async (_, body, cost, seconds) => {
    const said = { status: 'in_progress', seconds }
    const vendor = await channel(studio(said))
    const bill = await scene.bill(async () => {
      const before = await scene.books()
      const answer = await create(body)
      expect(answer.status).toBe(200)
      const { id, status } = (await answer.json()) as { id: string; status: string }
      expect([id, status]).toEqual(['video_1', 'queued'])
      const held = await scene.books()
      expect([before.userQuota - held.userQuota, held.userUsed - before.userUsed]).toEqual([cost, 0])
      expect((await call(`/v1/videos/${id}`)).status).toBe(200)
      expect((await scene.books()).userUsed).toBe(before.userUsed)
      said.status = 'completed'
      await lookAgain()
      await lookAgain()
      expect(await (await call(`/v1/videos/${id}`)).json()).toMatchObject({ id, status: 'completed' })
    })
    expect(bill).toMatchObject({ user: -cost, userUsed: cost, requests: 1, holds: 0, channels: cost })
    expect(bill.rows[0]).toMatchObject({ quota: cost, model_name: body.model, channel: vendor.id, outcome: 'done' })
  })

  test.each(['1000000000', '-3', 'many'])(
    'that cannot be as long as its vendor says (%s) costs what was asked for',
    async (seconds) => {
      await channel(studio({ status: 'completed', seconds }))
      const bill = await scene.bill(async () => {
        await create({ model: 'sora-2', prompt: 'x' })
        await lookAgain()
      })
      expect(bill).toMatchObject({ user: -200_000, requests: 1, holds: 0 })
    },
  )

  test('made of another is begun, and paid, also when its client leaves before its vendor answers', async () => {
    const made = studio({ status: 'completed' })
    const asked = Promise.withResolvers<void>()
    await channel(async (request) => {
      if (!request.path.endsWith('/remix')) return typeof made === 'function' ? made(request) : made
      asked.resolve()
      await Bun.sleep(300)
      return Response.json({ id: 'video_of_video', object: 'video', status: 'queued', model: 'sora-2', seconds: '4' })
    })
    await create({ model: 'sora-2', prompt: 'x' })
    await lookAgain()
    const bill = await scene.bill(async () => {
      const gone = new AbortController()
      const leaving = call('/v1/videos/video_1/remix', { method: 'POST', body: '{"prompt":"y"}', signal: gone.signal })
      await asked.promise
      gone.abort()
      await leaving.catch(() => {})
      await Bun.sleep(600)
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: -200_000, requests: 1, holds: 0 })
  })

  test('that is still being made is shown to nobody, whatever its vendor has of it', async () => {
    const said = { status: 'in_progress' }
    await channel(studio(said))
    const bill = await scene.bill(async () => {
      const { id } = (await (await create({ model: 'sora-2', prompt: 'x' })).json()) as { id: string }
      expect((await call(`/v1/videos/${id}/content`)).status).toBe(409)
      said.status = 'completed'
      expect(await (await call(`/v1/videos/${id}/content`)).text()).toContain('film')
    })
    expect(bill).toMatchObject({ user: -200_000, requests: 1, holds: 0 })
  })

  test('sent as a form passes with its picture, and asking for it pays it', async () => {
    const vendor = await channel(studio({ status: 'completed' }))
    const form = new FormData()
    form.set('prompt', 'a cat')
    form.set('seconds', '4')
    form.set('input_reference', new File(['picture'], 'a.png', { type: 'image/png' }))
    const bill = await scene.bill(async () => {
      const { id } = (await (await create(form)).json()) as { id: string }
      await call(`/v1/videos/${id}`)
      await call(`/v1/videos/${id}`)
    })
    expect(vendor.seen[0]?.body.input_reference).toBeInstanceOf(File)
    expect(vendor.seen[0]?.body.model).toBe('sora-2')
    expect(bill).toMatchObject({ user: -200_000, requests: 1, holds: 0 })
  })

  test('that fails costs nothing, and so does one the vendor refuses', async () => {
    await channel(studio({ status: 'failed' }))
    const bill = await scene.bill(async () => {
      await create({ model: 'sora-2', prompt: 'x' })
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: 0, requests: 0, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
    await scene.clear()
    await channel(() => Response.json({ error: { message: 'not this' } }, { status: 400 }))
    const refused = await scene.bill(async () =>
      expect((await create({ model: 'sora-2', prompt: 'x' })).status).toBe(400),
    )
    expect(refused).toMatchObject({ user: 0, requests: 0, holds: 0 })
  })

  test('goes past a dead key of a pool, and its channel is not blamed for it', async () => {
    const made = studio({ status: 'completed' })
    const { id, seen } = await channel((request) =>
      request.headers.get('authorization') === 'Bearer alive'
        ? made(request)
        : errorAnswer(402, { message: 'no money is left' })(request),
    )
    await scene.root.call(api.channels.update, { id, key: 'dead\nalive', pool: true })
    expect((await create({ model: 'sora-2', prompt: 'a cat' })).status).toBe(200)
    expect(seen).toHaveLength(2)
    await Bun.sleep(50)
    const { keys, last_error } = await scene.root.call(api.channels.get, { id })
    expect([keys[0]?.last_fault, last_error]).toEqual(['402: no money is left', ''])
    await lookAgain()
  })

  test('is refused without money, price, model or sense', async () => {
    const vendor = await channel(studio({ status: 'completed' }), { models: 'sora-2,unpriced' })
    expectUntouched(
      await scene.bill(async () => {
        expect((await create({ model: 'sora-2', prompt: 'x', seconds: 'many' })).status).toBe(400)
        expect((await create({ model: 'sora-2', prompt: 'x', seconds: 60 })).status).toBe(402)
        expect((await create({ model: 'unpriced', prompt: 'x' })).status).toBe(403)
        expect((await create({ model: 'sora-9', prompt: 'x' })).status).toBe(404)
        for (const more of [{ input_reference: { file_id: 'file-x' } }, { remix_video_id: 'video_x' }])
          expect((await create({ model: 'sora-2', prompt: 'x', ...more })).status).toBe(404)
        const form = new FormData()
        form.set('prompt', 'x')
        form.set('input_reference[file_id]', 'file-x')
        expect((await create(form)).status).toBe(404)
        expect((await call('/v1/videos', {}, 'sk-nobody')).status).toBe(401)
      }),
    )
    expect(vendor.seen).toHaveLength(0)
  })

  test('belongs to its user: to others it is unknown, and the vendor is not asked', async () => {
    const vendor = await channel(studio({ status: 'completed' }))
    const { id } = (await (await create({ model: 'sora-2', prompt: 'x' })).json()) as { id: string }
    const other = await scene.user.call(api.tokens.create, { name: 'another', remain_quota: 0, unlimited_quota: true })
    expect((await call(`/v1/videos/${id}`, {}, `sk-${other.key}`)).status).toBe(200)
    const asked = vendor.seen.length
    for (const [path, method] of [
      [`/v1/videos/${id}`, 'GET'],
      [`/v1/videos/${id}/content`, 'GET'],
      [`/v1/videos/${id}`, 'DELETE'],
    ] as const)
      expect((await call(path, { method }, stranger)).status).toBe(404)
    const remix = { method: 'POST', body: '{"prompt":"y"}' }
    expect((await call(`/v1/videos/${id}/remix`, remix, stranger)).status).toBe(404)
    expect(((await (await call('/v1/videos', {}, stranger)).json()) as { data: unknown[] }).data).toEqual([])
    expect(vendor.seen).toHaveLength(asked)
    const own = (await (await call('/v1/videos')).json()) as { data: { id: string }[] }
    expect(own.data.map((video) => video.id)).toEqual([id])
  })

  test('is paid before it is shown, streamed, remixed at its own length, and deleted once done', async () => {
    const said = { status: 'in_progress' }
    const vendor = await channel(studio(said))
    const bill = await scene.bill(async () => {
      await create({ model: 'sora-2', prompt: 'x', seconds: '4' })
      expect((await call('/v1/videos/video_1', { method: 'DELETE' })).status).toBe(409)
      said.status = 'completed'
      const film = await call('/v1/videos/video_1/content?variant=thumbnail')
      expect(film.headers.get('content-type')).toBe('video/mp4')
      expect(film.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(await film.text()).toBe('film ?variant=thumbnail')
      expect((await scene.books()).rows[0]).toMatchObject({ quota: 200_000 })
      const again = { method: 'POST', body: '{"prompt":"y"}' }
      expect(await (await call('/v1/videos/video_1/remix', again)).json()).toMatchObject({ id: 'video_2' })
      expect((await call('/v1/videos/video_2')).status).toBe(200)
      expect((await call('/v1/videos/video_1', { method: 'DELETE' })).status).toBe(200)
      expect((await call('/v1/videos/video_1')).status).toBe(404)
    })
    expect(bill).toMatchObject({ user: -400_000, requests: 2, holds: 0 })
    expect(vendor.seen.find(({ path }) => path.endsWith('/remix'))?.body).toEqual({ prompt: 'y' })
  })

  test('is held and paid across a restart of the node', async () => {
    const said = { status: 'in_progress' }
    await channel(studio(said))
    const bill = await scene.bill(async () => {
      await create({ model: 'sora-2', prompt: 'x' })
      // What a node that starts anew knows is what the database says.
      scene.app.ctx.changes.emit({ topic: 'everything' })
      expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
      said.status = 'completed'
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: -200_000, holds: 0 })
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('with a price per request costs that, whatever its length', async () => {
    await scene.option('RequestPrice', '{"sora-2": 0.02}')
    await channel(studio({ status: 'completed' }))
    const bill = await scene.bill(async () => {
      await create({ model: 'sora-2', prompt: 'x', seconds: '12' })
      await lookAgain()
    })
    expect(bill).toMatchObject({ user: -10_000, holds: 0 })
  })
})
