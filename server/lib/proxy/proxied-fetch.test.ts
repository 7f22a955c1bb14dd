import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { selfSigned } from '#server/testing/self-signed.ts'
import { startSocksServer } from '#server/testing/socks-server.ts'
import { fetchThrough } from './proxied-fetch.ts'

let plain: Server<undefined>
let secure: Server<undefined>
const large = 'x'.repeat(3_000_000)

beforeAll(() => {
  const answer = async (request: Request) =>
    new URL(request.url).pathname === '/large' ? new Response(large) : new Response(`got ${await request.text()}`)
  plain = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  secure = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: selfSigned, fetch: answer })
})
afterAll(async () => {
  await plain.stop(true)
  await secure.stop(true)
})

const trusting = { tls: { rejectUnauthorized: false } } as RequestInit

test.each([undefined, 'ann:pass word'])(
  'a SOCKS5 proxy carries plain and secure requests (login %s)',
  async (login) => {
    const proxy = startSocksServer(login)
    const ask = fetchThrough(proxy.url.replace(' ', '%20'), fetch)
    const post = { method: 'POST', body: 'hello' }
    for (let turn = 0; turn < 3; turn++) {
      expect(await (await ask(`http://localhost:${plain.port}/a?b=1`, post)).text()).toBe('got hello')
      expect(await (await ask(`https://localhost:${secure.port}/`, { ...post, ...trusting })).text()).toBe('got hello')
    }
    expect(await (await ask(`http://localhost:${plain.port}/large`)).text()).toBe(large)
    expect(await (await ask(`https://localhost:${secure.port}/large`, trusting)).text()).toBe(large)
    expect(new Set(proxy.asked)).toEqual(new Set([`localhost:${plain.port}`, `localhost:${secure.port}`]))
    expect(new Set(proxy.logins)).toEqual(new Set(login ? [login] : []))
    proxy.stop()
  },
)

test('a proxy that refuses, or is not there, fails the request', async () => {
  const picky = startSocksServer('ann:right')
  const wrong = picky.url.replace('right', 'wrong')
  const far = `http://localhost:${plain.port}/`
  const answer = await fetchThrough(wrong, fetch)(far).catch(() => null)
  expect(answer?.status ?? 407).toBe(407)
  picky.stop()
  const gone = await fetchThrough('socks5://127.0.0.1:1', fetch)(far).catch(() => null)
  expect(gone?.status ?? 407).toBe(407)
  await expect(fetchThrough('http://127.0.0.1:1', fetch)(far)).rejects.toThrow()
})
