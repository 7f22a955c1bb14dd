import { afterAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Socket } from 'bun'
import { eventually } from '#server/testing/eventually.ts'
import { type Seen, saying, startWireScene } from '#server/testing/wire-upstream.ts'
import { textIn } from './http-response.ts'

const { client, upstreamThat, ask, stop } = startWireScene()
afterAll(stop)

const until = (isSo: () => boolean) => eventually(isSo, Boolean)

describe('giving up', () => {
  test('closes the connection before the answer', async () => {
    const upstream = upstreamThat(() => {})
    const { answer, abort } = client.post(upstream.url, {}, '.')
    await until(() => upstream.connections[0]?.turns === 1)
    abort()
    expect(await answer.catch((error) => error.name)).toBe('AbortError')
    await until(() => upstream.open === 0)
  })

  test('closes it in the middle of the answer', async () => {
    const upstream = upstreamThat((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'))
    const { answer, abort } = client.post(upstream.url, {}, '.')
    const given = await answer
    const next = () => given.next()
    expect(Buffer.from((await next()).value ?? []).toString()).toBe('half')
    const rest = next()
    abort()
    expect(await rest.catch((error) => error.name)).toBe('AbortError')
    await until(() => upstream.open === 0)
  })

  test('before there is a connection ends the request at once', async () => {
    const upstream = upstreamThat((socket) => void socket.write(saying('hi')))
    const { answer, abort } = client.post(upstream.url, {}, '.')
    abort()
    expect(await answer.catch((error) => error.name)).toBe('AbortError')
    await until(() => upstream.open === 0)
    expect(upstream.connections.every(({ turns }) => turns === 0)).toBe(true)
  })

  test('at any moment while a closed connection is replaced ends the request', async () => {
    const upstream = upstreamThat((socket, turn) => {
      if (turn === 1) socket.write(saying('fine'))
      else socket.end()
    })
    for (let steps = 0; steps < 30; steps += 1) {
      await ask(upstream)
      const { answer, abort } = client.post(upstream.url, {}, '.')
      const outcome = answer.then(
        (got) => got.bytes().then(textIn, (error) => error.name),
        (error) => error.name,
      )
      for (let step = 0; step < steps; step += 1) await new Promise(setImmediate)
      abort()
      expect(['AbortError', 'fine', 'Error']).toContain(await outcome)
    }
  })

  test('after the answer does nothing to the next request on that connection', async () => {
    const upstream = upstreamThat((socket, turn) => void setTimeout(() => socket.write(saying(`turn ${turn}`)), 10))
    const first = client.post(upstream.url, {}, '.')
    expect(textIn(await (await first.answer).bytes())).toBe('turn 1')
    const second = ask(upstream)
    first.abort()
    expect(await second).toBe('turn 2')
    expect(upstream.connections).toHaveLength(1)
  })
})

describe('an answer', () => {
  test('comes in pieces as they arrive', async () => {
    const upstream = upstreamThat(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      for (const word of ['one', 'two', 'six']) {
        await Bun.sleep(10)
        socket.write(`3\r\n${word}\r\n`)
      }
      socket.write('0\r\n\r\n')
    })
    const given = await client.post(upstream.url, {}, '.').answer
    const next = () => given.next()
    const words: string[] = []
    for (let piece = await next(); !piece.done; piece = await next()) words.push(Buffer.from(piece.value).toString())
    expect(words).toEqual(['one', 'two', 'six'])
    expect(await ask(upstream)).toBe('onetwosix')
    expect(upstream.connections).toHaveLength(1)
  })

  test('nobody reads holds its sender back', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const total = 64 * 1024 * 1024
    const push = (socket: Socket<Seen>) => {
      while (sent < total) {
        const next = piece.subarray(0, total - sent)
        const written = socket.write(next)
        sent += written
        if (written < next.length) return
      }
    }
    const listener = Bun.listen<Seen>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`)
          push(socket)
        },
        drain: push,
      },
    })
    const given = await client.post(`http://127.0.0.1:${listener.port}/`, {}, '.').answer
    const next = () => given.next()
    await next()
    await Bun.sleep(200)
    expect(sent).toBeLessThan(total / 2)
    let read = 0
    for (let more = await next(); !more.done; more = await next()) read += more.value.length
    expect(read).toBeGreaterThan(total / 2)
    listener.stop(true)
  })

  test('that was held back leaves a connection that listens', async () => {
    const long = 'x'.repeat(4 * 1024 * 1024)
    const upstream = upstreamThat(
      (socket, turn) => void socket.write(saying(turn === 1 ? long.slice(0, 300_000) : 'next')),
    )
    const given = await client.post(`${upstream.url}/`, {}, '.').answer
    const next = () => given.next()
    let read = 0
    for (let more = await next(); !more.done; more = await next()) {
      read += more.value.length
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(read).toBe(300_000)
    expect(await ask(upstream)).toBe('next')
  })

  test('longer than anybody wants whole is broken off', async () => {
    const upstream = upstreamThat((socket) => void socket.write(saying('x'.repeat(10_000))))
    const plain = await client.post(`${upstream.url}/`, {}, '.').answer
    expect(await plain.bytes({ bytesMax: 5000 }).catch(String)).toContain('too long')
    const bomb = gzipSync(Buffer.alloc(2 * 1024 * 1024))
    const packed = upstreamThat(
      (socket) =>
        void socket.write(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
            bomb,
          ]),
        ),
    )
    const answer = await client.post(`${packed.url}/`, {}, '.').answer
    expect(await answer.bytes({ bytesMax: 1024 * 1024 }).catch(String)).toContain('too long')
  })

  test('may be compressed though nobody asked for it', async () => {
    const bytes = gzipSync('{"a":1}')
    const upstream = upstreamThat((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`)
      socket.write(bytes)
    })
    expect(await ask(upstream)).toBe('{"a":1}')
    const given = await client.post(upstream.url, {}, '.').answer
    const next = () => given.next()
    expect(Buffer.from((await next()).value ?? []).toString()).toBe('{"a":1}')
  })

  test('that cannot be read fails, and its connection is closed', async () => {
    const unknown = upstreamThat((socket) => void socket.write(saying('hi', 'Content-Encoding: lzma\r\n')))
    expect(await ask(unknown).catch(String)).toContain('compressed')
    const broken = upstreamThat((socket) => void socket.write('HTTP/1.1 OK\r\n\r\n'))
    expect(await ask(broken).catch(String)).toContain('HTTP')
    await until(() => unknown.open + broken.open === 0)
  })

  test('without a length ends with its connection', async () => {
    const upstream = upstreamThat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nall of it')
      setTimeout(() => socket.end(), 10)
    })
    expect(await ask(upstream)).toBe('all of it')
  })

  test('that breaks off gives what came of it, then fails', async () => {
    const upstream = upstreamThat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbegun')
      setTimeout(() => socket.end(), 10)
    })
    const given = await client.post(upstream.url, {}, '.').answer
    const next = () => given.next()
    await Bun.sleep(50)
    expect(Buffer.from((await next()).value ?? []).toString()).toBe('begun')
    expect(await next().catch(String)).toContain('lost')
  })
})
