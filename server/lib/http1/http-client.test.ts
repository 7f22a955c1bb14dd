import { afterAll, describe, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { saying, startWireScene, startWireUpstream } from '#server/testing/wire-upstream.ts'
import { createHttpClient } from './http-client.ts'
import { textIn } from './http-response.ts'

const { client, upstreamThat, ask, stop } = startWireScene()
afterAll(stop)

const until = (isSo: () => boolean) => eventually(isSo, Boolean)

describe('a request', () => {
  test('arrives as it was meant', async () => {
    const upstream = upstreamThat((socket, _, text) => void socket.write(saying(text)))
    const text = await ask(upstream, '{"a":"ä"}.', { authorization: 'Bearer x', 'content-type': 'application/json' })
    const [head = '', body] = text.split('\r\n\r\n')
    expect(head.split('\r\n')).toEqual([
      'POST /v1/x?y=1 HTTP/1.1',
      `host: ${new URL(upstream.url).host}`,
      'accept-encoding: identity',
      'user-agent: Switchyard',
      'authorization: Bearer x',
      'content-type: application/json',
      'content-length: 11',
    ])
    expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('{"a":"ä"}.')
  })

  test('of many megabytes arrives whole, also from an upstream that is slow to read', async () => {
    let received = 0
    const listener = Bun.listen<undefined>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket, bytes) {
          received += bytes.length
          socket.pause()
          setTimeout(() => socket.resume(), 5)
          if (bytes.at(-1) === 46) socket.write(saying(String(received)))
        },
      },
    })
    const body = Buffer.alloc(8_000_000, 'x')
    body.set([46], body.length - 1)
    const answer = await client.post(`http://127.0.0.1:${listener.port}/`, {}, body).answer
    expect(Number(textIn(await answer.bytes()))).toBeGreaterThan(body.length)
    expect(received - body.length).toBeLessThan(300)
    listener.stop(true)
  })

  test('keeps what is not ASCII in a header, byte for byte', async () => {
    const upstream = upstreamThat(
      (socket, _, text) => void socket.write(saying(text.includes('x-title: caf\xe9\r\n') ? 'yes' : 'no')),
    )
    expect(await ask(upstream, '.', { 'x-title': 'caf\xe9' })).toBe('yes')
  })

  test.each(['a\r\nx-other: b', 'a\nb', 'a\0b', '名'])(
    'with the header %j is refused, and nothing is sent',
    (value) => {
      const upstream = upstreamThat((socket) => void socket.write(saying('hi')))
      expect(() => client.post(upstream.url, { authorization: value }, '.')).toThrow('authorization')
      expect(upstream.connections).toEqual([])
    },
  )
})

describe('a connection', () => {
  test('is used again once its answer is complete', async () => {
    const upstream = upstreamThat((socket, turn) => void socket.write(saying(`turn ${turn}`)))
    expect([await ask(upstream), await ask(upstream), await ask(upstream)]).toEqual(['turn 1', 'turn 2', 'turn 3'])
    expect(upstream.connections).toHaveLength(1)
  })

  test('carries one request at a time', async () => {
    const upstream = upstreamThat(
      (socket) => void setTimeout(() => socket.write(saying(`by ${socket.data.number}`)), 10),
    )
    const answers = await Promise.all([ask(upstream), ask(upstream), ask(upstream)])
    expect(answers.toSorted()).toEqual(['by 0', 'by 1', 'by 2'])
  })

  test('the upstream has closed meanwhile is replaced without a word', async () => {
    const upstream = upstreamThat((socket) => {
      socket.write(saying(`by ${socket.data.number}`))
      socket.end()
    })
    expect(await ask(upstream)).toBe('by 0')
    await until(() => upstream.open === 0)
    // A round trip elsewhere: by then the end has been noticed.
    await ask(upstreamThat((socket) => void socket.write(saying('fine'))))
    expect(await ask(upstream)).toBe('by 1')
    expect(upstream.connections).toHaveLength(2)
  })

  test('that is closed on a request the upstream may have seen fails it, and nothing is sent again', async () => {
    const upstream = upstreamThat((socket, turn) => {
      if (turn === 1) socket.write(saying('fine'))
      else socket.end()
    })
    expect(await ask(upstream)).toBe('fine')
    expect(await ask(upstream).catch(String)).toContain('lost')
    await until(() => upstream.open === 0)
    expect(upstream.connections.map(({ turns }) => turns)).toEqual([2])
  })

  test('is kept for as long as the upstream says, and no longer', async () => {
    const brief = upstreamThat((socket, turn) => void socket.write(saying(`turn ${turn}`, 'Keep-Alive: timeout=1\r\n')))
    expect([await ask(brief), await ask(brief)]).toEqual(['turn 1', 'turn 1'])
    const long = upstreamThat(
      (socket, turn) => void socket.write(saying(`turn ${turn}`, 'Keep-Alive: max=100, timeout=30\r\n')),
    )
    expect([await ask(long), await ask(long)]).toEqual(['turn 1', 'turn 2'])
  })

  test('that takes too long to be made is given up, and nothing was sent', async () => {
    const silent = upstreamThat(() => {})
    const hasty = createHttpClient(300)
    const secure = silent.url.replace('http:', 'https:')
    expect(await hasty.post(secure, {}, '.').answer.catch(String)).toContain('in time')
    await until(() => silent.open === 0)
    hasty.close()
  })

  test('whose other half is closed still brings the answer', async () => {
    const upstream = upstreamThat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nto the end')
      socket.shutdown()
    })
    expect(await ask(upstream)).toBe('to the end')
  })

  test('reaches an address of the sixth version', async () => {
    const listener = Bun.listen({
      hostname: '::1',
      port: 0,
      socket: { data: (socket, bytes) => void socket.write(saying(/host: (\S+)/.exec(bytes.toString())?.[1] ?? '')) },
    })
    const answer = await client.post(`http://[::1]:${listener.port}/`, {}, '.').answer
    expect(textIn(await answer.bytes())).toBe(`[::1]:${listener.port}`)
    listener.stop(true)
  })

  test('that is new and closed at once fails its request, which is sent once only', async () => {
    const upstream = upstreamThat((socket) => socket.end())
    expect(await ask(upstream).catch(String)).toContain('lost')
    await until(() => upstream.connections.length === 1 && upstream.open === 0)
    expect(upstream.connections).toHaveLength(1)
  })

  test('that breaks after the first byte fails its request, which is not sent again', async () => {
    const upstream = upstreamThat((socket, turn) => {
      if (turn === 1) return void socket.write(saying('fine'))
      socket.write('HTTP/1.1 2')
      socket.end()
    })
    await ask(upstream)
    expect(await ask(upstream).catch(String)).toContain('lost')
    expect(upstream.connections).toHaveLength(1)
  })

  test('is not kept when the upstream says so, nor when it says more than it should', async () => {
    const upstream = upstreamThat((socket, turn) => void socket.write(saying(`turn ${turn}`, 'Connection: close\r\n')))
    expect([await ask(upstream), await ask(upstream)]).toEqual(['turn 1', 'turn 1'])
    const chatty = upstreamThat((socket, turn) => {
      socket.write(saying(`turn ${turn}`))
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong'), 5)
    })
    expect(await ask(chatty)).toBe('turn 1')
    await until(() => chatty.open === 0)
    expect(await ask(chatty)).toBe('turn 1')
  })

  test('that answers before it has read the request is not used again', async () => {
    const listener = Bun.listen<{ answered?: boolean }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open(socket) {
          socket.data = {}
        },
        data(socket) {
          socket.pause()
          if (!socket.data.answered) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
          socket.data.answered = true
        },
      },
    })
    const url = `http://127.0.0.1:${listener.port}/`
    for (const _ of [1, 2]) {
      const answer = await client.post(url, {}, Buffer.alloc(20_000_000)).answer
      expect(answer.status).toBe(413)
    }
    listener.stop(true)
  })

  test('is refused by an upstream that is not there', async () => {
    const gone = startWireUpstream(() => {})
    gone.stop()
    expect(await ask(gone).catch((error) => error.code)).toBe('ECONNREFUSED')
  })

  test('is closed with its client, after the request that is under way on it', async () => {
    const own = startWireScene()
    const upstream = own.upstreamThat(
      (socket, turn) => void setTimeout(() => socket.write(saying(`turn ${turn}`)), turn * 10),
    )
    await own.ask(upstream)
    const last = own.ask(upstream)
    await own.ask(upstream)
    own.client.close()
    expect(await last).toBe('turn 2')
    await until(() => upstream.open === 0)
    own.stop()
  })
})
