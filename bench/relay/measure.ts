import { runLoad } from '../support/load.ts'
import { startOpenLoad } from '../support/open-load.ts'
import { bodyOf, type Scenario } from './scenarios.ts'
import type { Subject } from './subjects.ts'

/** Sums over the rounds of one scenario. */
export interface Measured {
  requests: number
  errors: number
  cpuSeconds: number
  readonly p50: number[]
  readonly p99: number[]
  readonly firstByte: number[]
}

export const emptyMeasure = (): Measured => ({
  requests: 0,
  errors: 0,
  cpuSeconds: 0,
  p50: [],
  p99: [],
  firstByte: [],
})

/** The middle one of the rounds: one disturbed round says nothing. */
export const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const cpuMicros = ({ cpuSeconds, requests }: Measured): number => (cpuSeconds / Math.max(1, requests)) * 1e6

/** One round of one subject, added to what was measured before. */
export async function measure(subject: Subject, scenario: Scenario, seconds: number, sums: Measured): Promise<void> {
  const { child } = subject
  const before = child.cpuSeconds()
  const shared = { url: subject.urlOf(scenario), key: subject.keyOf(scenario) }
  const { load } = scenario
  const done =
    'connections' in load
      ? await runLoad({ ...shared, body: bodyOf(scenario), connections: load.connections, seconds })
      : await runPaced(scenario, load.perSecond, shared, seconds)
  sums.cpuSeconds += child.cpuSeconds() - before
  sums.requests += done.requests
  sums.errors += done.errors
  sums.p50.push(done.p50)
  sums.p99.push(done.p99)
  sums.firstByte.push(done.firstByteP50)
}

async function runPaced(
  scenario: Scenario,
  perSecond: number,
  shared: { url: string; key: string },
  seconds: number,
): Promise<{ requests: number; errors: number; p50: number; p99: number; firstByteP50: number }> {
  const load = startOpenLoad({ ...shared, perSecond, streamShare: 0, body: () => bodyOf(scenario) })
  await Bun.sleep(seconds * 1000)
  const { p50, p99 } = load.sample()
  const { requests, errors } = await load.stop()
  return { requests, errors, p50, p99, firstByteP50: 0 }
}
