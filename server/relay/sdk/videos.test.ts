import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
let sdk: SdkClients
beforeAll(async () => {
  scene = await startRelayScene({ quota: 10 * startingQuota, tokenQuota: 10 * startingQuota })
  sdk = sdkClients(scene.app.url, scene.key)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const film = 'the bytes of a film'

const openaiStudio: Behaviour = ({ path, body }) => {
  if (path === '/v1/videos')
    return Response.json({ id: 'video_sdk', object: 'video', status: 'queued', model: body.model, seconds: '4' })
  if (path.endsWith('/content')) return new Response(film, { headers: { 'content-type': 'video/mp4' } })
  return Response.json({ id: 'video_sdk', object: 'video', status: 'completed', model: 'sora-2', seconds: '4' })
}

test('a video of OpenAI’s client', async () => {
  await scene.channel(openaiStudio, { models: 'sora-2' })
  const { videos } = sdk.openai
  const bill = await scene.bill(async () => {
    const begun = await videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '4' })
    expect(begun).toMatchObject({ id: 'video_sdk', status: 'queued' })
    expect(await videos.retrieve(begun.id)).toMatchObject({ status: 'completed' })
    expect(await (await videos.downloadContent(begun.id)).text()).toBe(film)
    expect((await videos.list()).data.map(({ id }) => id)).toEqual(['video_sdk'])
    await videos.delete(begun.id)
    const gone = await videos.retrieve(begun.id).catch((error: Error) => error.message)
    expect(gone).toContain('not known')
  })
  expect(bill).toMatchObject({ user: -200_000, requests: 1, holds: 0 })
})

const name = 'models/veo-3.1-generate-preview/operations/sdk1'

const googleStudio: Behaviour = ({ path, url }) => {
  if (path.endsWith(':predictLongRunning')) return Response.json({ name })
  if (path.includes('/files/')) return new Response(film, { headers: { 'content-type': 'video/mp4' } })
  const uri = `${url.origin}/v1beta/files/sdkfilm:download?alt=media`
  const generateVideoResponse = { generatedSamples: [{ video: { uri } }] }
  return Response.json({ name, done: true, response: { generateVideoResponse } })
}

test('a video of Google’s client', async () => {
  await scene.channel(googleStudio, { type: 24, models: 'veo-3.1-generate-preview' })
  const { models, operations } = sdk.google
  const bill = await scene.bill(async () => {
    const begun = await models.generateVideos({ model: 'veo-3.1-generate-preview', source: { prompt: 'a cat' } })
    expect(begun.name).toBe(name)
    const done = await operations.getVideosOperation({ operation: begun })
    const uri = done.response?.generatedVideos?.[0]?.video?.uri ?? ''
    expect(uri).toStartWith(scene.app.url)
    expect(await (await fetch(uri, { headers: { 'x-goog-api-key': scene.key } })).text()).toBe(film)
  })
  // Eight seconds at $0.40.
  expect(bill).toMatchObject({ user: -1_600_000, requests: 1, holds: 0 })
})
