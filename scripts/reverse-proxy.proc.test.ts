import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '#server/testing/eventually.ts'
import { deltaFrame, doneFrame, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { selfSigned } from '#server/testing/self-signed.ts'
import { startSocketUpstream } from '#server/testing/socket-upstream.ts'
import { rootPassword } from '#server/testing/test-app.ts'

const nginx = Bun.which('nginx', { PATH: `${process.env.PATH ?? ''}:/usr/sbin` })
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'operators', 'reverse-proxy.md'), 'utf8')
const described = /```nginx\n(.*?)```/s.exec(page)?.[1] ?? ''

async function freeHost(): Promise<string> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { host } = probe.url
  await probe.stop(true)
  return host
}

const tls = { rejectUnauthorized: false }

describe.skipIf(nginx === null)('behind nginx as the page about proxies sets it up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-nginx-'))
  let scene: RelayScene
  let proxy: Bun.Subprocess
  let host: string

  beforeAll(async () => {
    scene = await startRelayScene({ env: { TRUST_PROXY: '1' } })
    host = await freeHost()
    const settings = described
      .replace('127.0.0.1:3000', new URL(scene.app.url).host)
      .replaceAll(/\S+\/(fullchain|privkey)\.pem/g, join(folder, '$1.pem'))
      .replace('listen 443', `listen ${host}`)
    const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
    file('fullchain.pem', selfSigned.cert)
    file('privkey.pem', selfSigned.key)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const http = `http { access_log off; ${places.join(' ')}\n${settings}}`
    file('nginx.conf', `daemon off; master_process off; pid ${folder}/pid; error_log stderr;\nevents {}\n${http}`)
    proxy = Bun.spawn([nginx ?? '', '-p', folder, '-c', join(folder, 'nginx.conf')], { stderr: 'inherit' })
    await eventually(
      () =>
        ask('/healthz').then(
          ({ ok }) => ok,
          () => proxy.exitCode !== null,
        ),
      (ended) => ended,
    )
  })
  afterAll(async () => {
    proxy.kill()
    await proxy.exited
    await scene.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = (path: string, init: RequestInit = {}) => fetch(`https://${host}${path}`, { ...init, tls })
  const chat = (body: object) =>
    ask('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.key}` },
      body: JSON.stringify({ model: 'gpt-4o', ...body }),
    })

  test('people log in from its address, whatever its port, by a cookie for TLS alone', async () => {
    const answer = await ask('/api/user/login', {
      method: 'POST',
      headers: { origin: `https://${host}`, 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ username: 'root', password: rootPassword }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
    expect(answer.headers.get('set-cookie')).toContain('Secure')
    const sessions = await scene.app.ctx.database.db.selectFrom('sessions').select('address').execute()
    expect(sessions.map(({ address }) => address)).not.toContain('203.0.113.9')
  })

  test('words arrive as they are said, and a large request goes through', async () => {
    const said = Promise.withResolvers<unknown>()
    await scene.channel(eventStream(deltaFrame('first'), said.promise, deltaFrame('second'), doneFrame))
    const content = 'long '.repeat(400_000)
    const reader = (
      await chat({ stream: true, max_tokens: 5, messages: [{ role: 'user', content }] })
    ).body?.getReader()
    let text = ''
    const until = async (word: string) => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += Buffer.from(part.value).toString()
        if (text.includes(word)) return
      }
    }
    await until('first')
    expect(text).toContain('first')
    expect(text).not.toContain('second')
    said.resolve(null)
    await until('second')
    expect(text).toContain('second')
    await scene.clear()
  })

  test('realtime sessions open', async () => {
    const vendor = startSocketUpstream((socket, frame) => {
      if (frame === null) socket.send('{"type":"session.created"}')
    })
    await scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url })
    const headers = { authorization: `Bearer ${scene.key}` }
    const socket = new WebSocket(`wss://${host}/v1/realtime?model=gpt-realtime`, {
      headers,
      tls,
    } as unknown as string[])
    const received = Promise.withResolvers<unknown>()
    socket.addEventListener('message', ({ data }) => received.resolve(data))
    socket.addEventListener('close', ({ code }) => received.reject(new Error(`closed with ${code}`)))
    expect(await received.promise).toContain('session.created')
    socket.close()
    await vendor.stop()
    await scene.clear()
  })
})
