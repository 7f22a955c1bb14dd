import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createLogger } from '#server/lib/log.ts'
import { readConfig } from '#server/process/config.ts'
import { embeddedAssets, folderAssets } from './assets.ts'
import { chooseEncoding } from './compress.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createWeb } from './web.ts'

const html = '<!doctype html><title>console</title>'
const script = `export const text = '${'long enough to be worth compressing '.repeat(60)}'`
const folder = mkdtempSync(join(tmpdir(), 'switchyard-web-'))
const outside = join(folder, 'secret.txt')
const site = join(folder, 'web')
mkdirSync(join(site, 'assets'), { recursive: true })
mkdirSync(join(site, '.vite'))
writeFileSync(join(site, 'index.html'), html)
writeFileSync(join(site, 'logo.png'), new Uint8Array(4000))
writeFileSync(join(site, 'assets', 'index-abc.js'), script)
writeFileSync(join(site, '.vite', 'manifest.json'), '{"private":true}')
writeFileSync(outside, 'a-hidden-word')

const framed = { ChatLink: '', HomePageContent: '', About: '' }
let open: RateLimiter['allow'] = async () => true
const log = createLogger(readConfig({ LOG_LEVEL: 'silent' }).LOG_LEVEL)
const limiter: RateLimiter = {
  allow: (bucket, client) => open(bucket, client),
  forgive: async () => {},
  within: async () => true,
}
const options = () => framed as never

let server: Bun.Server<undefined>
let url = ''
beforeAll(() => {
  const web = createWeb({ options, log }, limiter, folderAssets(site))
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => web(request, new URL(request.url), 'someone'),
  })
  url = server.url.origin
})
afterAll(() => server.stop(true))

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } })

describe('caching', () => {
  test('hashed files may be kept for ever', async () => {
    const answer = await get('/assets/index-abc.js')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toContain('javascript')
  })

  test('the page is asked for again each time, and costs nothing when unchanged', async () => {
    const first = await get('/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })
})

describe('paths', () => {
  test.each(['/', '/channel', '/user/edit', '/no/such/page', '/.vite/manifest.json', '/assets'])(
    '%s is the page',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(html)
    },
  )

  test('a hashed file of an older build is missing, not the page', async () => {
    expect((await get('/assets/index-old.js')).status).toBe(404)
  })

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..\\..\\secret.txt',
  ])('%s does not lead out of the folder', async (path) => {
    expect(await rawGet(path)).not.toContain('a-hidden-word')
  })

  test('HEAD answers the headers alone', async () => {
    const answer = await fetch(`${url}/logo.png`, { method: 'HEAD' })
    expect(answer.headers.get('content-length')).toBe('4000')
    expect(await answer.text()).toBe('')
  })

  test('other methods find nothing', async () => {
    expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(404)
  })
})

/** As a client that does not tidy paths would send it. */
function rawGet(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(server.port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })
}

describe('compression', () => {
  const packed = async (encoding: string) => {
    const answer = await fetch(`${url}/assets/index-abc.js`, {
      headers: { 'accept-encoding': encoding },
      decompress: false,
    })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    return answer.bytes()
  }

  test('brotli and gzip unpack to the file', async () => {
    expect(brotliDecompressSync(await packed('br')).toString()).toBe(script)
    expect(gunzipSync(await packed('gzip')).toString()).toBe(script)
  })

  test('pictures go as they are', async () => {
    const answer = await get('/logo.png', { 'accept-encoding': 'br' })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', 'identity'],
    ['', 'identity'],
  ] as const)('"%s" gets %s', (accepted, chosen) => {
    expect(chooseEncoding(accepted)).toBe(chosen)
  })
})

describe('content security policy', () => {
  const policy = async () => (await get('/')).headers.get('content-security-policy') ?? ''

  test('scripts come from here and the human check alone; nobody frames us', async () => {
    const text = await policy()
    expect(text).toContain("script-src 'self' https://challenges.cloudflare.com;")
    expect(text).toContain("frame-ancestors 'none'")
    expect(text).toContain("object-src 'none'")
    expect(text).toContain("base-uri 'none'")
    expect((await get('/')).headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a configured address may be framed, by its origin, from the next request on', async () => {
    expect(await policy()).toContain("frame-src 'self' https://challenges.cloudflare.com;")
    Object.assign(framed, {
      ChatLink: 'https://chat.example/app?x=1',
      About: 'https://about.example/page',
      HomePageContent: '# hi',
    })
    expect(await policy()).toContain(
      "frame-src 'self' https://challenges.cloudflare.com https://chat.example https://about.example;",
    )
    Object.assign(framed, { ChatLink: '', About: "https://x.example; script-src 'unsafe-inline'", HomePageContent: '' })
    expect(await policy()).not.toContain('x.example')
  })
})

describe('rate limit', () => {
  test('a client past its limit is refused', async () => {
    open = async (bucket) => bucket !== 'web'
    expect((await get('/')).status).toBe(429)
  })

  test('with the database gone the page still comes', async () => {
    open = () => Promise.reject(new Error('gone'))
    expect((await get('/')).status).toBe(200)
    open = async () => true
  })
})

test('without a build the console says how to get one', async () => {
  const web = createWeb({ options, log }, limiter, folderAssets(join(folder, 'nothing')))
  const answer = await web(new Request('http://x/'), new URL('http://x/'), 'someone')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('npm start')
})

test('a file that could not be read once is read when it is asked for again', async () => {
  const files = folderAssets(site)
  let failures = 1
  const web = createWeb({ options, log }, limiter, {
    paths: files.paths,
    read: (path) => (failures-- > 0 ? Promise.reject(new Error('too many open files')) : files.read(path)),
  })
  const ask = () => web(new Request('http://x/'), new URL('http://x/'), 'someone')
  expect(ask()).rejects.toThrow('too many open files')
  expect(await (await ask()).text()).toBe(html)
})

test('files that were taken away after the start are missing, and the page says how to build them', async () => {
  const emptied = join(folder, 'emptied')
  mkdirSync(join(emptied, 'assets'), { recursive: true })
  for (const path of ['index.html', 'logo.png', 'assets/index-abc.js']) writeFileSync(join(emptied, path), script)
  const web = createWeb({ options, log }, limiter, folderAssets(emptied))
  const statusOf = async (path: string) =>
    (await web(new Request(`http://x${path}`), new URL(`http://x${path}`), 'someone')).status
  rmSync(emptied, { recursive: true })
  expect(await statusOf('/assets/index-abc.js')).toBe(404)
  expect(await statusOf('/logo.png')).toBe(404)
  expect(await statusOf('/')).toBe(503)
  mkdirSync(emptied)
  writeFileSync(join(emptied, 'index.html'), html)
  expect(await statusOf('/')).toBe(200)
})

test('files inside the program are served by their path, with its type', async () => {
  const inside = embeddedAssets({ '/index.html': join(site, 'index.html'), '/assets/a.js': outside })
  const web = createWeb({ options, log }, limiter, inside)
  const answer = await web(new Request('http://x/assets/a.js'), new URL('http://x/assets/a.js'), 'someone')
  expect(answer.headers.get('content-type')).toContain('javascript')
  expect(await answer.text()).toBe('a-hidden-word')
})
