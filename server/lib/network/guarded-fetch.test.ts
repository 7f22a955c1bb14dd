import { afterAll, describe, expect, test } from 'bun:test'
import { readTable } from '#shared/testing/table.ts'
import { FetchRefused, fetchAsDataUrl, type Guard, guardedFetch } from './guarded-fetch.ts'
import { isPublicAddress } from './public-address.ts'

const png = Buffer.from('89504e470d0a1a0a', 'hex')

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/png') return new Response(png, { headers: { 'content-type': 'application/octet-stream' } })
    if (pathname === '/to') return Response.redirect(searchParams.get('url') ?? '', 302)
    if (pathname === '/again') return Response.redirect('/again', 307)
    if (pathname === '/big') return new Response(new Uint8Array(4096))
    if (pathname === '/endless')
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1024)),
        }),
      )
    if (pathname === '/silent') return new Promise<Response>(() => {})
    return new Response('gone', { status: 404 })
  },
})
afterAll(() => server.stop(true))

/** `img.example` is our own server; everything else is as on the internet. */
const local: Partial<Guard> = {
  resolve: async (host) => (host === 'img.example' ? ['127.0.0.1'] : host === 'inner.example' ? ['10.0.0.8'] : []),
  allows: (address) => address === '127.0.0.1' || isPublicAddress(address),
}
const at = (path: string) => `http://img.example:${server.port}${path}`
const refusal = (url: string, changes: Partial<Guard> = local) =>
  guardedFetch(url, undefined, changes).then(
    () => 'fetched',
    (error: unknown) => (error instanceof FetchRefused ? error.message : `not a refusal: ${error}`),
  )

const innerAddresses = [
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
]
const publicAddresses = ['8.8.8.8', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001:82a::200e']

test('addresses are public or not, however they are written', () => {
  expect(innerAddresses.filter(isPublicAddress)).toEqual([])
  expect(publicAddresses.filter(isPublicAddress)).toEqual(publicAddresses)
})

const innerUrls = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::]/',
  'http://169.254.169.254/latest/meta-data/',
  'https://192.168.1.1/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST:3000/',
]
const otherUrls = ['file:///etc/passwd', 'ftp://img.example/x', 'gopher://img.example', 'img.example/x', '']

/** What the guard says to each address. */
const refusals = (urls: readonly string[], changes?: Partial<Guard>) =>
  readTable(
    urls.map((url) => [url, url] as const),
    (url) => refusal(url, changes),
  )

describe('guarded fetch', () => {
  test('brings bytes with the type they have, whatever the server claims', async () => {
    expect(await fetchAsDataUrl(at('/png'), undefined, local)).toBe(`data:image/png;base64,${png.toString('base64')}`)
  })

  test('addresses of inner machines are refused, however they are written', async () => {
    const expected = innerUrls.map((url) => [url, expect.stringContaining('not on the public internet')])
    expect(await refusals(innerUrls, {})).toEqual(Object.fromEntries(expected))
  })

  test('what is no web address is refused', async () => {
    const expected = otherUrls.map((url) => [url, expect.stringContaining('Only http and https')])
    expect(await refusals(otherUrls)).toEqual(Object.fromEntries(expected))
  })

  test('a name that resolves to an inner address is refused, also beside a public one', async () => {
    expect(await refusal('http://inner.example/')).toContain('not on the public internet')
    const mixed = { ...local, resolve: async () => ['8.8.8.8', '10.0.0.8'] }
    expect(await refusal('http://any.example/', mixed)).toContain('not on the public internet')
  })

  test('a redirect to an inner address is refused', async () => {
    for (const url of ['http://inner.example/', 'http://10.0.0.8/', 'file:///etc/passwd'])
      expect(await refusal(at(`/to?url=${encodeURIComponent(url)}`))).not.toBe('fetched')
  })

  test('a redirect to a public address is followed, three times at most', async () => {
    expect(await refusal(at(`/to?url=${encodeURIComponent(at('/png'))}`))).toBe('fetched')
    expect(await refusal(at('/again'))).toContain('redirects too often')
  })

  test('the connection goes to the checked address under the name the client gave', async () => {
    const seen: { url: string; init: BunFetchRequestInit }[] = []
    const fetch: Guard['fetch'] = async (url, init) => {
      seen.push({ url, init })
      return new Response(png)
    }
    await guardedFetch('https://cdn.example:8443/a?b=1', undefined, { fetch, resolve: async () => ['8.8.8.8'] })
    await guardedFetch('https://cdn.example/', undefined, { fetch, resolve: async () => ['2606:4700::1111'] })
    expect(seen.map((each) => each.url)).toEqual(['https://8.8.8.8:8443/a?b=1', 'https://[2606:4700::1111]/'])
    expect(seen[0]?.init).toMatchObject({
      headers: { host: 'cdn.example:8443' },
      tls: { serverName: 'cdn.example' },
      redirect: 'manual',
    })
  })

  test('too much is refused, announced or not', async () => {
    expect(await refusal(at('/big'), { ...local, maxBytes: 4095 })).toContain('larger than')
    expect(await refusal(at('/big'), { ...local, maxBytes: 4096 })).toBe('fetched')
    expect(await refusal(at('/endless'), { ...local, maxBytes: 100_000 })).toContain('larger than')
  })

  test('silence ends', async () => {
    expect(await refusal(at('/silent'), { ...local, timeout: 20 })).toContain('in time')
  })

  test('errors of the server and unknown names are said', async () => {
    expect(await refusal(at('/none'))).toContain('status 404')
    expect(await refusal('http://unknown.example/')).toContain('cannot be resolved')
  })
})
