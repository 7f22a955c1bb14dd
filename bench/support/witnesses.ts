import { plainModel, streamModel } from './relay-process.ts'

/** What clients saw while the relay was being hurt. */
export interface Witnesses {
  /** Ids of the answers seen whole. */
  readonly complete: Set<string>
  /** Ids of the answers of which only a part arrived. */
  readonly partial: Set<string>
  /** How often each refusal came. */
  readonly refusals: Map<string, number>
  /** Connections that closed before an answer began, or in the middle of it. */
  broken: number
  /** When the last whole answer came; when they began to ask, before the first. */
  lastCompleteAt: number
  /** Sends nothing more and resolves when everything sent has come to its end. */
  stop(): Promise<void>
}

const pauseMs = 20
/** A client does not wait for ever for a node that stands still. */
const timeoutMs = 4000

/** Clients that ask over and over, half of them for streams, and write down what they saw. */
export function callWitnesses(url: string, keys: readonly string[], clients: number): Witnesses {
  let stopped = false
  const witnesses: Omit<Witnesses, 'stop'> = {
    complete: new Set(),
    partial: new Set(),
    refusals: new Map(),
    broken: 0,
    lastCompleteAt: Date.now(),
  }
  const client = async (stream: boolean, key: string) => {
    while (!stopped) if (!(await askOnce(url, key, stream, witnesses))) await Bun.sleep(pauseMs)
  }
  const running = Array.from({ length: clients }, (_, at) => client(at % 2 === 0, keys[(at >> 1) % keys.length] ?? ''))
  return Object.assign(witnesses, {
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  })
}

/** Asks, and writes down what came of it. Returns whether that was a whole answer. */
export async function askOnce(
  url: string,
  key: string,
  stream: boolean,
  seen: Omit<Witnesses, 'stop'>,
): Promise<boolean> {
  let id = ''
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: stream ? streamModel : plainModel,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Say something.' }],
        ...(stream ? { stream } : {}),
      }),
    })
    id = response.headers.get('x-request-id') ?? ''
    const text = await response.text()
    if (!response.ok) {
      const refusal = `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`
      seen.refusals.set(refusal, (seen.refusals.get(refusal) ?? 0) + 1)
      return false
    }
    const whole = stream ? text.trimEnd().endsWith('data: [DONE]') : text.endsWith('}')
    ;(whole ? seen.complete : seen.partial).add(id)
    if (whole) seen.lastCompleteAt = Date.now()
    return whole
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
    if (id !== '') seen.partial.add(id)
    if (!refused) seen.broken += 1
    return false
  }
}
