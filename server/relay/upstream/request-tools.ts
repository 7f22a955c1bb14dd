import { fetchAsDataUrl } from '#server/lib/network/guarded-fetch.ts'
import type { Fetch, Tools } from '#server/providers/provider.ts'
import type { Stop } from './stop.ts'

interface Surroundings {
  readonly fetch: typeof fetch
  readonly clock: () => number
}

/** A class, because one is made for every request: its methods are made once. */
class RequestTools implements Tools {
  readonly fetch: Fetch
  readonly now: () => number
  private readonly stop: Stop

  constructor({ fetch, clock }: Surroundings, stop: Stop) {
    this.fetch = fetch as Fetch
    this.now = clock
    this.stop = stop
  }

  get signal(): AbortSignal {
    return this.stop.signal()
  }

  fetchBytes(url: string): Promise<string> {
    return fetchAsDataUrl(url, this.stop.signal())
  }
}

/** What a provider is given for one request; the signal is created on first use. */
export const createTools = (surroundings: Surroundings, stop: Stop): Tools => new RequestTools(surroundings, stop)
