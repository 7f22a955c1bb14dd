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

interface Watch {
  /** Its place in the list; -1 when it is not watched any more. */
  at: number
  since: number
  waitsMs: number
  listening: boolean
  stalled: boolean
  readonly end: () => void
}

/** One clock for all upstreams: a timer for each request costs more than the watching. */
const tickMs = 100
const watches: Watch[] = []
let clock: ReturnType<typeof setInterval> | null = null

function add(watch: Watch): void {
  watch.at = watches.push(watch) - 1
  clock ??= setInterval(look, tickMs)
}

/** The last takes the place that becomes free. */
function remove(watch: Watch): void {
  if (watch.at < 0) return
  const last = watches.pop()
  if (last && last !== watch) {
    watches[watch.at] = last
    last.at = watch.at
  }
  watch.at = -1
}

function look(): void {
  const now = performance.now()
  const stalled = watches.filter(({ listening, since, waitsMs }) => listening && now - since >= waitsMs)
  for (const watch of stalled) {
    watch.stalled = true
    remove(watch)
    watch.end()
  }
  if (watches.length > 0 || !clock) return
  clearInterval(clock)
  clock = null
}

/** `firstMs` is how long the first sign may take; `end` ends the upstream. */
export function watchSilence(end: () => void, idleMs: number, firstMs: number): Silence {
  const watch: Watch = {
    at: -1,
    since: performance.now(),
    waitsMs: firstMs,
    listening: true,
    stalled: false,
    end,
  }
  add(watch)
  const expect = (ms: number) => {
    watch.waitsMs = ms
    watch.since = performance.now()
  }
  return {
    stalled: () => watch.stalled,
    reset: () => expect(idleMs),
    expect,
    pause() {
      watch.listening = false
    },
    resume() {
      watch.listening = true
      watch.since = performance.now()
    },
    stop: () => remove(watch),
  }
}
