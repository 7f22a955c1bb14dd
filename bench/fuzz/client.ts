import { createServer, type Socket } from 'node:net'
import { createFetchClient } from '#server/lib/http1/fetch-client.ts'
import { createHttpClient, type HttpClient } from '#server/lib/http1/http-client.ts'
import { textIn } from '#server/lib/http1/http-response.ts'
import { createDice, type Dice } from './dice.ts'

/** What one connection sends, piece by piece, and whether it breaks in the end. */
interface Plan {
  readonly pieces: readonly string[]
  readonly end: 'keep' | 'close' | 'reset'
  /** All but the end of its last chunk: complete to the runtime, not to us. */
  readonly isNearlyWhole: boolean
}

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

function planFor(dice: Dice): Plan {
  const body = 'x'.repeat(dice.pick([0, 1, 10, 1000, 70_000, 300_000]))
  const half = dice.roll(body.length + 1)
  const framed = dice.pick([
    `content-length: ${body.length}\r\n\r\n${body}`,
    `transfer-encoding: chunked\r\n\r\n${half > 0 ? chunkOf(body.slice(0, half)) : ''}${half < body.length ? chunkOf(body.slice(half)) : ''}0\r\n\r\n`,
    `connection: close\r\n\r\n${body}`,
  ])
  const interim = dice.chance(0.1) ? 'HTTP/1.1 100 Continue\r\n\r\n' : ''
  const text = `${interim}HTTP/1.1 ${dice.pick([200, 200, 404, 500])} X\r\n${framed}`
  const cut = dice.chance(0.25) ? text.slice(0, dice.roll(text.length)) : text
  const pieces: string[] = []
  for (let at = 0; at < cut.length; ) {
    const length = 1 + dice.roll(dice.pick([5, 500, 100_000]))
    pieces.push(cut.slice(at, at + length))
    at += length
    if (pieces.length > 60) {
      pieces.push(cut.slice(at))
      break
    }
  }
  const isOpen = framed.startsWith('connection')
  const isWhole = cut === text && !isOpen
  // In a body without a length a reset cannot be distinguished from its end.
  const breaks = !isOpen && dice.chance(0.2) ? 'reset' : 'close'
  const isNearlyWhole = framed.startsWith('transfer') && cut !== text && cut.length >= text.length - '\r\n'.length
  return { pieces, isNearlyWhole, end: isWhole && dice.chance(0.6) ? 'keep' : breaks }
}

async function play(socket: Socket, { pieces, end }: Plan, dice: Dice): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    socket.write(piece)
    // Behind the last piece the next request may be here already, and would be cut in its place.
    if (at < pieces.length - 1 && dice.chance(0.1)) await Bun.sleep(dice.roll(5))
  }
  if (end === 'close') socket.end()
  if (end === 'reset') socket.resetAndDestroy()
}

const outcome = async (client: HttpClient, url: string): Promise<string> => {
  try {
    const answer = await client.post(url, { 'content-type': 'text/plain' }, 'question').answer
    return `${answer.status} ${textIn(await answer.bytes()).length}`
  } catch {
    return 'failed'
  }
}

/** Our HTTP client against servers that cut, delay and reset, beside the runtime's own: both must make the same of it. */
export async function fuzzClient(seed: number, seconds: number): Promise<string[]> {
  const plans = new Map<string, { plan: Plan; seed: number }>()
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (!text.endsWith('question')) return
      const known = plans.get(/^POST \/(\d+)/.exec(text)?.[1] ?? '')
      text = ''
      if (known) void play(socket, known.plan, createDice(known.seed))
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const own = createHttpClient()
  const oracle = createFetchClient()
  const dice = createDice(seed)
  const faults: string[] = []
  let compared = 0
  let hasClosed = false
  const until = Date.now() + seconds * 1000
  for (let at = 0; Date.now() < until; at += 1) {
    const plan = planFor(dice)
    plans.set(String(at), { plan, seed: seed + at })
    const url = `http://127.0.0.1:${port}/${at}`
    const first = await Promise.race([outcome(own, url), Bun.sleep(10_000).then(() => 'hangs')])
    // The connection of before may have closed at this very moment: then nothing is sent again, by design.
    const ours = first === 'failed' && hasClosed ? await outcome(own, url) : first
    hasClosed = plan.end !== 'keep'
    const theirs = await Promise.race([outcome(oracle, url), Bun.sleep(10_000).then(() => 'hangs')])
    compared += 1
    plans.delete(String(at))
    // A reset may overtake bytes that were sent before it: what one of them still got, the other may have lost.
    if (ours !== theirs && plan.end !== 'reset' && !plan.isNearlyWhole)
      faults.push(`answer ${at}: ours ${ours}, the runtime's ${theirs}`)
    if (ours === 'hangs') faults.push(`answer ${at} hangs`)
  }
  console.log(`${compared} answers compared`)
  own.close()
  server.close()
  return faults
}
