import { expect, test } from 'bun:test'
import { startRawUpstream } from '#server/testing/raw-upstream.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'

const answer = JSON.stringify({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
})

test.each(['HTTP_PROXY', 'http_proxy'])('with %s set, upstreams are reached through the proxy', async (variable) => {
  const seen: string[] = []
  const proxy = startRawUpstream((socket, text) => {
    seen.push(text)
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
    )
  })
  const server = await spawnServer({ [variable]: proxy.url, NO_PROXY: '' })
  const call = async (path: string, body?: object, cookie = '') =>
    fetch(server.url + path, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json', cookie },
    })
  const login = await call('/api/user/login', { username: 'root', password: '123456' })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const channel = { name: 'far', type: 1, key: 'k', models: 'gpt-4o', base_url: 'http://far.invalid' }
  expect(await (await call('/api/channel/', channel, cookie)).json()).toMatchObject({ success: true })
  expect(await (await call('/api/channel/test/1', undefined, cookie)).json()).toMatchObject({ success: true })
  expect(seen[0]).toStartWith('POST http://far.invalid/v1/chat/completions HTTP/1.1\r\n')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  proxy.stop()
})
