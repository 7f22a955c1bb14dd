import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

const hostile = '<script>alert(1)</script>'
let scene: RelayScene

beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer(hostile, { prompt_tokens: 1, completion_tokens: 1 }))
})
afterAll(() => scene.stop())

describe('an answer is never taken for a page', () => {
  test.each([
    ['of the console', '/api/status'],
    ['that refuses', '/api/user/self'],
    ['that finds nothing', `/api/${hostile}`],
    ['of the relay that refuses', `/v1/models/${hostile}`],
    ['of the relay that finds nothing', `/v1/${hostile}`],
  ])('%s', async (_, path) => {
    const { headers } = await scene.app.client().fetch(path)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('that carries what a model said', async () => {
    const answer = await scene.chat()
    expect(await answer.text()).toContain('alert(1)')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('other sites', () => {
  const origin = 'https://elsewhere.example'
  test('may call the relay, whose keys they must bring, but never with the cookies of a visitor', async () => {
    const answer = await scene.chat({}, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null)
  })

  test('may send the relay a key, and read how long to wait and all else that stands in the head of an answer', async () => {
    const asked = await scene.app.client().fetch('/v1/chat/completions', { method: 'OPTIONS', headers: { origin } })
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization, *')
    const refused = await scene.app.client().fetch('/v1/chat/completions', { method: 'POST', headers: { origin } })
    expect(refused.status).toBe(401)
    for (const { headers } of [refused, await scene.chat({}, { headers: { origin } })])
      expect(headers.get('access-control-expose-headers')).toBe('*')
  })

  test('may not read the console', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await scene.user.fetch('/api/user/self', { method, headers: { origin } })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test.each([
    '//elsewhere.example',
    '//elsewhere.example/%2e%2e',
    '/\\elsewhere.example',
    '/login?next=https://elsewhere.example',
    '/oauth/github?redirect_uri=https://elsewhere.example',
  ])('are never where %s leads', async (path) => {
    const answer = await scene.app.client().fetch(path)
    expect(answer.headers.get('location')).toBe(null)
    expect(answer.status).not.toBeWithin(300, 400)
  })
})
