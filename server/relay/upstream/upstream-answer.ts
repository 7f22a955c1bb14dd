import type { HttpResponse } from '#server/lib/http1/http-response.ts'
import { PacedChunks } from '#server/lib/streams/paced-chunks.ts'
import type { Provider, Target, Tools } from '#server/providers/provider.ts'
import type { Reading } from './outgoing.ts'
import type { Silence } from './silence.ts'
import type { Stop } from './stop.ts'

export interface UpstreamAnswer {
  readonly reading: Reading
  readonly target: Target
  readonly provider: Provider
  readonly tools: Tools
  /** A header of the answer; null when it is absent. */
  header(name: string): string | null
  /** Raw bytes as they come; either these or `bytes` may be used, once. */
  chunks(): AsyncIterator<Uint8Array>
  /** The whole answer, messages of a socket parted by `messageSeparator`. */
  bytes(): Promise<Buffer>
  /** Runs from the moment the request was sent; the reader of the answer stops it. */
  readonly silence: Silence
  /** Ends the upstream at once. */
  abort(): void
}

/** One request on its way to one channel. */
export interface Sending {
  readonly reading: Reading
  readonly provider: Provider
  readonly target: Target
  readonly tools: Tools
  readonly silence: Silence
  readonly stop: Stop
}

/** Parts socket messages when a whole conversation is collected; JSON never contains it unescaped. */
export const messageSeparator = '\u001e'

/** A class, because one is made for every request: its methods are made once. */
class HttpAnswer implements UpstreamAnswer {
  readonly reading: Reading
  readonly target: Target
  readonly provider: Provider
  readonly tools: Tools
  readonly silence: Silence
  private readonly stop: Stop
  private readonly response: HttpResponse

  constructor({ reading, target, provider, tools, silence, stop }: Sending, response: HttpResponse) {
    this.reading = reading
    this.target = target
    this.provider = provider
    this.tools = tools
    this.silence = silence
    this.stop = stop
    this.response = response
  }

  header(name: string): string | null {
    return this.response.header(name)
  }

  chunks(): AsyncIterator<Uint8Array> {
    return new PacedChunks(this.response as AsyncIterator<Uint8Array, undefined>)
  }

  bytes(): Promise<Buffer> {
    return this.response.bytes({ watch: this.silence })
  }

  abort(): void {
    this.stop.now()
  }
}

export const httpAnswer = (sending: Sending, response: HttpResponse): UpstreamAnswer =>
  new HttpAnswer(sending, response)

export function socketAnswer(
  { reading, target, provider, tools, silence, stop }: Sending,
  messages: AsyncIterable<string>,
): UpstreamAnswer {
  const encoder = new TextEncoder()
  return {
    reading,
    target,
    provider,
    tools,
    header: () => null,
    chunks: async function* () {
      for await (const message of messages) yield encoder.encode(message)
    },
    async bytes() {
      let text = ''
      for await (const message of messages) text += message + messageSeparator
      return Buffer.from(text)
    },
    silence,
    abort: () => stop.now(),
  }
}
