/** What is asked, and how often. */
export interface Scenario {
  readonly name: string
  readonly delayMs: number
  readonly bytes: number
  readonly stream: boolean
  /** So many at a time, each the next when the last is answered; or so many a second, whatever became of those before. */
  readonly load: { readonly connections: number } | { readonly perSecond: number }
  /** How many channels carry the model; one unless said. */
  readonly channels?: number
  /** The token has a budget and limits, none of which it reaches. */
  readonly limited?: true
  /** The same without what is special here, to be measured in turns with it. */
  readonly without?: string
  /** Where the relay keeps its books; a file unless said. */
  readonly database?: 'distant'
  /** At most so many times the processor time of the bare proxy, or milliseconds added at the median. */
  readonly goal?: { readonly times: number } | { readonly addedMs: number }
}

const plain = { delayMs: 0, bytes: 200, stream: false }
const beside64 = { load: { connections: 64 }, without: 'plain, 64 connections' }
const stream = { delayMs: 0, bytes: 0, stream: true }

export const scenarios: readonly Scenario[] = [
  { name: 'plain, one connection', ...plain, load: { connections: 1 }, goal: { times: 3 } },
  { name: 'plain, 8 connections', ...plain, load: { connections: 8 } },
  { name: 'plain, 64 connections', ...plain, load: { connections: 64 }, goal: { times: 2.3 } },
  { name: 'plain, 64, 50 channels', ...plain, ...beside64, channels: 50, goal: { times: 2.3 } },
  { name: 'plain, 64, limited token', ...plain, ...beside64, limited: true },
  { name: 'plain, 256 connections', ...plain, load: { connections: 256 } },
  { name: 'plain 10 KB, 64', ...plain, bytes: 10_000, load: { connections: 64 } },
  { name: 'plain 100 KB, 64', ...plain, bytes: 100_000, load: { connections: 64 } },
  { name: 'plain after 60 ms, 64', ...plain, delayMs: 60, load: { connections: 64 } },
  { name: 'paced, 1,000 a second', ...plain, delayMs: 60, load: { perSecond: 1000 } },
  { name: 'streams, one', ...stream, load: { connections: 1 } },
  { name: 'streams, 64', ...stream, load: { connections: 64 }, goal: { times: 1.4 } },
  { name: 'streams, 256', ...stream, load: { connections: 256 } },
  { name: 'distant, one', ...plain, load: { connections: 1 }, database: 'distant', goal: { addedMs: 6 } },
  { name: 'distant, 64', ...plain, load: { connections: 64 }, database: 'distant' },
  { name: 'distant, 1,000/s', ...plain, delayMs: 60, load: { perSecond: 1000 }, database: 'distant' },
]

/** Each way of answering is a model of its own. */
export const modelOf = ({ delayMs, bytes, stream, channels = 1 }: Scenario): string =>
  `bench-${delayMs}-${bytes}-${stream ? 'stream' : 'plain'}-${channels}`

/** Where the mock answers like this. */
export const pathOf = ({ delayMs, bytes }: Scenario): string => `/${delayMs}/${bytes}`

export const bodyOf = (scenario: Scenario): string =>
  JSON.stringify({
    model: modelOf(scenario),
    max_tokens: 100,
    ...(scenario.stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Say something about switchyards, briefly and in plain words.' }],
  })
