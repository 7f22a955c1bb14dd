import { enlist, type Listed, type Roster, strike } from '#server/lib/roster.ts'
import type { Stop } from './stop.ts'

/** Listens to an upstream and ends it when nothing has come for too long. */
export interface Silence {
  stalled(): boolean
  /** Something came. */
  reset(): void
  /** The next sign must come within this time. */
  expect(ms: number): void
  /** Nobody listens for now: the client takes its time. */
  pause(): void
  resume(): void
  stop(): void
}

/** One clock for all upstreams: a timer for each request costs more than the watching. */
const tickMs = 100
const watches: Roster<Watch> = []
let clock: ReturnType<typeof setInterval> | null = null

function look(): void {
  const now = performance.now()
  const stalled = watches.filter(({ listening, since, waitsMs }) => listening && now - since >= waitsMs)
  for (const watch of stalled) {
    watch.hasStalled = true
    strike(watches, watch)
    watch.upstream.now()
  }
  if (watches.length > 0 || !clock) return
  clearInterval(clock)
  clock = null
}

/** A class, because one is made for every request: its methods are made once. */
class Watch implements Silence, Listed {
  place = -1
  since = performance.now()
  waitsMs: number
  listening = true
  hasStalled = false
  readonly upstream: Pick<Stop, 'now'>
  private readonly idleMs: number

  constructor(upstream: Pick<Stop, 'now'>, idleMs: number, firstMs: number) {
    this.upstream = upstream
    this.idleMs = idleMs
    this.waitsMs = firstMs
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
    strike(watches, this)
  }
}

/** `firstMs` is how long the first sign may take. */
export function watchSilence(upstream: Pick<Stop, 'now'>, idleMs: number, firstMs: number): Silence {
  const watch = new Watch(upstream, idleMs, firstMs)
  enlist(watches, watch)
  clock ??= setInterval(look, tickMs)
  return watch
}
