import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** Baidu's first version: hands out tokens by number and takes only those not revoked. Its errors come with HTTP 200. */
function baiduWith(isGood: (token: string) => boolean): { behaviour: Behaviour; handedOut: () => number } {
  let tokens = 0
  const behaviour: Behaviour = ({ path, url, body }) => {
    if (path === '/oauth/2.0/token') return Response.json({ access_token: `token-${++tokens}`, expires_in: 2_592_000 })
    const token = url.searchParams.get('access_token') ?? ''
    if (!isGood(token)) return Response.json({ error_code: 111, error_msg: 'Access token expired' })
    const answer = { id: 'as-1', created: 1, result: 'hello', is_end: true, finish_reason: 'normal', usage }
    return body.stream === true
      ? new Response(`data: ${JSON.stringify(answer)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(answer)
  }
  return { behaviour, handedOut: () => tokens }
}

const settings = (id: string) => ({ type: 15, key: `${id}|secret` })

test.each([false, true])(
  'a token the provider has revoked is renewed on the same channel, streaming %p',
  async (stream) => {
    let revoked = ''
    const vendor = baiduWith((token) => token !== revoked)
    const channel = await scene.channel(vendor.behaviour, settings(`revoked-${stream}`))
    expect((await scene.chat()).status).toBe(200)
    revoked = 'token-1'
    const bill = await scene.bill(async () => {
      const response = await scene.chat({ stream })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('hello')
    })
    expectCharge(bill, 30, { channel: channel.id, tried: String(channel.id) })
    expect(vendor.handedOut()).toBe(2)
  },
)

test('a provider that refuses the new token too is asked no third time', async () => {
  const vendor = baiduWith(() => false)
  const channel = await scene.channel(vendor.behaviour, settings('never'))
  const response = await scene.chat()
  expect(response.status).toBe(502)
  expect(channel.seen.filter((request) => request.path.includes('/chat/'))).toHaveLength(2)
})

test('the test of a channel renews a revoked token as well', async () => {
  let revoked = ''
  const vendor = baiduWith((token) => token !== revoked)
  const channel = await scene.channel(vendor.behaviour, settings('tested'))
  expect((await scene.chat()).status).toBe(200)
  revoked = 'token-1'
  expect(await scene.root.raw(api.channels.test, { id: channel.id })).toMatchObject({ success: true })
})
