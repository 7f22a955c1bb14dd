import { addToList, type Listed, removeFromList, type UnorderedList } from '#server/lib/unordered-list.ts'
import type { Stop } from './stop.ts'

/** Ends an upstream request when nothing has arrived for too long. */
export interface Silence {
  stalled(): boolean
  /** Something arrived. */
  reset(): void
  /** The next byte must arrive within this time. */
  expect(ms: number): void
  /** Not counted for now: the client is slow to read. */
  pause(): void
  resume(): void
  stop(): void
}

/** A client that may leave before the answer arrives, and how long the upstream is read on without it. */
export interface Lingering {
  readonly gone: AbortSignal
  readonly lingersMs: number
}

/** One interval for all upstream requests: a timer for each, or a listener on its client's signal, costs more. */
const tickMs = 100
const watches: UnorderedList<Watch> = []
let clock: ReturnType<typeof setInterval> | null = null

function look(): void {
  const now = performance.now()
  const over = watches.filter((watch) => watch.isOver(now))
  for (const watch of over) {
    removeFromList(watches, watch)
    watch.upstream.now()
  }
  if (watches.length > 0 || !clock) return
  clearInterval(clock)
  clock = null
}

/** A class, because one is made for every request: methods on the prototype are made once. */
class Watch implements Silence, Listed {
  place = -1
  readonly upstream: Pick<Stop, 'now'>
  private since = performance.now()
  private waitsMs: number
  private listening = true
  private hasStalled = false
  private leftAt: number | null = null
  private readonly idleMs: number
  private readonly lingering: Lingering | null

  constructor(upstream: Pick<Stop, 'now'>, idleMs: number, firstMs: number, lingering: Lingering | null) {
    this.upstream = upstream
    this.idleMs = idleMs
    this.waitsMs = firstMs
    this.lingering = lingering
  }

  /** Whether the upstream has been silent, or its client gone, for too long. */
  isOver(now: number): boolean {
    this.hasStalled = this.listening && now - this.since >= this.waitsMs
    if (this.hasStalled || !this.lingering?.gone.aborted) return this.hasStalled
    this.leftAt ??= now
    return now - this.leftAt >= this.lingering.lingersMs
  }

  stalled(): boolean {
    return this.hasStalled
  }

  reset(): void {
    this.expect(this.idleMs)
  }

  expect(ms: number): void {
    this.waitsMs = ms
    this.since = performance.now()
  }

  pause(): void {
    this.listening = false
  }

  resume(): void {
    this.listening = true
    this.since = performance.now()
  }

  stop(): void {
    removeFromList(watches, this)
  }
}

/** `firstMs` is how long the first byte may take. */
export function watchSilence(
  upstream: Pick<Stop, 'now'>,
  idleMs: number,
  firstMs: number,
  lingering: Lingering | null,
): Silence {
  const watch = new Watch(upstream, idleMs, firstMs, lingering)
  addToList(watches, watch)
  clock ??= setInterval(look, tickMs)
  return watch
}
