import { fetchAsDataUrl } from '#server/lib/network/guarded-fetch.ts'
import type { Fetch, Tools } from '#server/providers/provider.ts'
import type { Stop } from './stop.ts'

/** Files by address that a request has fetched or is fetching: the next channel is given the same bytes. */
export interface FetchedFiles {
  fetched: Map<string, Promise<string>> | null
}

interface Surroundings {
  readonly fetch: typeof fetch
  readonly clock: () => number
  readonly files: FetchedFiles
  /** Refuses a caller for whom nothing is fetched. */
  readonly mayFetch: () => Promise<void>
}

/** A class, because one is made for every request: its methods are made once. */
class RequestTools implements Tools {
  readonly fetch: Fetch
  readonly now: () => number
  private readonly files: FetchedFiles
  private readonly mayFetch: () => Promise<void>
  private readonly stop: Stop

  constructor({ fetch, clock, files, mayFetch }: Surroundings, stop: Stop) {
    this.fetch = fetch as Fetch
    this.now = clock
    this.files = files
    this.mayFetch = mayFetch
    this.stop = stop
  }

  get signal(): AbortSignal {
    return this.stop.signal()
  }

  fetchBytes(url: string): Promise<string> {
    this.files.fetched ??= new Map()
    const { fetched } = this.files
    const known = fetched.get(url)
    if (known) return known
    const fetching = this.mayFetch().then(() => fetchAsDataUrl(url, this.stop.signal()))
    fetched.set(url, fetching)
    fetching.catch(() => fetched.delete(url))
    return fetching
  }
}

/** What a provider is given for one request; the signal is created on first use. */
export const createTools = (surroundings: Surroundings, stop: Stop): Tools => new RequestTools(surroundings, stop)
