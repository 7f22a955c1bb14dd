import { join } from 'node:path'
import { startPlainVendor } from './vendor.ts'

interface Caller {
  readonly key: string
  /** A conversation of its own, kept by the relay. */
  readonly conversation: string
}

interface Relay {
  readonly url: string
  readonly stallsUrl: string
  readonly callers: Readonly<Record<'rich' | 'poor' | 'other', Caller>>
}

/** A relay in another process, and a caller who asks it one short chat after the other. */
export interface RelayApart extends Pick<Relay, 'url' | 'callers'> {
  /** Does something and returns how many milliseconds the other caller waited at most for the work of the relay. */
  waitDuring(work: () => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

async function lineOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true })
    if (text.includes('\n')) break
  }
  return text
}

export async function startRelayApart(): Promise<RelayApart> {
  const vendor = startPlainVendor()
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, 'relay-process.ts'), vendor.url], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { url, stallsUrl, callers } = JSON.parse(await lineOf(child.stdout)) as Relay
  const stall = async () => (await (await fetch(stallsUrl)).json()) as number
  const body = JSON.stringify({ model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] })
  const headers = { authorization: `Bearer ${callers.other.key}`, 'content-type': 'application/json' }
  const chat = async (): Promise<number> => {
    const began = performance.now()
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    return performance.now() - began
  }
  return {
    url,
    callers,
    async waitDuring(work) {
      const usual = await chat()
      await stall()
      let isDone = false
      let longest = 0
      const asking = (async () => {
        while (!isDone) longest = Math.max(longest, await chat())
      })()
      await work().finally(() => {
        isDone = true
      })
      await asking
      // On a busy machine requests wait for other programs as well; the relay's own work is the most they wait for it.
      return Math.min(longest - usual, await stall())
    },
    async stop() {
      child.stdin.end()
      await child.exited
      await vendor.stop()
    },
  }
}
