import { join } from 'node:path'
import { type Child, startChild } from '../support/process.ts'
import { cpuMicros, emptyMeasure, type Measured, measure, middle } from './measure.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import {
  billedTokens,
  type DistantDatabase,
  type Subject,
  startBare,
  startDistantDatabase,
  startRelay,
} from './subjects.ts'

const secondsEach = Number(process.env.BENCH_SECONDS ?? 2)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const warmUpSeconds = Number(process.env.BENCH_WARM_UP ?? 20)
/** By then the log rows of the warm-up have been added to their totals. */
const restSeconds = 15
/** Another state of the project, to be measured in turn with this one. */
const before = process.env.BENCH_BEFORE
const only = process.env.BENCH_ONLY ?? ''
/** Milliseconds to PostgreSQL, and back. */
const [thereMs = 1, backMs = 0] = (process.env.BENCH_DISTANCE ?? '1,0').split(',').map(Number)
const tokensEach = 30

/**
 * The relay beside a bare proxy on the same runtime, and beside an earlier state of itself where one is given: they take turns every
 * few seconds, so that whatever else the machine does falls on all of them.
 */
export async function benchRelay(): Promise<void> {
  const chosen = scenarios.filter(({ name }) => name.includes(only))
  const distance = chosen.some(({ database }) => database) ? await startDistantDatabase(thereMs, backMs) : null
  const mock = await startChild(join(import.meta.dirname, '../support/mock-upstream.ts'))
  const bare = await startBare(mock)
  const near = chosen.some(({ database }) => !database) ? await relays(mock, null) : []
  const far = distance ? await relays(mock, distance) : []
  const all = [bare, ...near, ...far]
  const done = new Map(all.map((subject) => [subject, 0]))
  try {
    if (distance) console.log(`to PostgreSQL and back: ${distance.roundTripMs.toFixed(1)} ms\n`)
    for (const [kind, subjects] of [
      [false, [bare, ...near]],
      [true, [bare, ...far]],
    ] as const) {
      await warmUp(
        subjects,
        chosen.filter(({ database }) => Boolean(database) === kind),
        done,
      )
    }
    console.log(head)
    for (const scenario of chosen) await compare(scenario, [bare, ...(scenario.database ? far : near)], done)
    for (const scenario of chosen) await compareToPlain(scenario, near[0], done)
    const memory = all.map(({ name, child }) => `${name} ${child.memoryMb().toFixed(0)} MB`)
    console.log(`\nmemory after: ${memory.join(', ')}`)
    await agree(mock, bare, [...near, ...far], done)
  } finally {
    for (const subject of all) await subject.stop()
    await mock.stop()
    await distance?.stop()
  }
}

async function relays(mock: Child, distance: DistantDatabase | null): Promise<Subject[]> {
  const place = (databaseUrl: string | undefined) => (databaseUrl === undefined ? {} : { databaseUrl })
  const relay = await startRelay(mock, { name: 'relay', ...place(distance?.url) })
  if (before === undefined) return [relay]
  return [relay, await startRelay(mock, { name: 'before', project: before, ...place(distance?.urlBefore) })]
}

type Done = Map<Subject, number>
const count = (done: Done, subject: Subject, { requests }: Measured) =>
  done.set(subject, (done.get(subject) ?? 0) + requests)

/** All run until their compiler has nothing left to do: what is measured is the steady state. */
async function warmUp(subjects: readonly Subject[], chosen: readonly Scenario[], done: Done): Promise<void> {
  const kinds = [
    chosen.find(({ stream }) => stream),
    chosen.find(({ stream, limited }) => !stream && !limited),
    chosen.find(({ limited }) => limited),
  ]
  for (const kind of kinds) {
    if (!kind) continue
    for (const subject of subjects) {
      const sums = emptyMeasure()
      await measure(subject, { ...kind, delayMs: 0, load: { connections: 64 } }, warmUpSeconds, sums)
      count(done, subject, sums)
    }
  }
  if (chosen.length > 0) await Bun.sleep(restSeconds * 1000)
}

const head = `${'scenario'.padEnd(24)}  bare µs  relay µs  times   goal  before µs  added p50 ms  (before)  added p99 ms  first byte ms  errors`

async function compare(scenario: Scenario, subjects: readonly Subject[], done: Done): Promise<void> {
  const sums = new Map(subjects.map((subject) => [subject.name, emptyMeasure()]))
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects)
      await measure(subject, scenario, secondsEach, sums.get(subject.name) ?? emptyMeasure())
  }
  for (const subject of subjects) count(done, subject, sums.get(subject.name) ?? emptyMeasure())
  const [bare = emptyMeasure(), relay = emptyMeasure()] = [sums.get('bare'), sums.get('relay')]
  const earlier = sums.get('before')
  const added = (of: (sums: Measured) => readonly number[], by = relay) =>
    (middle(of(by)) - middle(of(bare))).toFixed(2)
  const errors = [...sums.values()].reduce((total, one) => total + one.errors, 0)
  const cells = [
    scenario.name.padEnd(24),
    cpuMicros(bare).toFixed(0).padStart(8),
    cpuMicros(relay).toFixed(0).padStart(9),
    (cpuMicros(relay) / cpuMicros(bare)).toFixed(2).padStart(6),
    goalOf(scenario).padStart(6),
    (earlier ? cpuMicros(earlier).toFixed(0) : '–').padStart(10),
    added(({ p50 }) => p50).padStart(13),
    (earlier ? added(({ p50 }) => p50, earlier) : '–').padStart(9),
    added(({ p99 }) => p99).padStart(13),
    (scenario.stream ? added(({ firstByte }) => firstByte) : '–').padStart(14),
    String(errors).padStart(7),
  ]
  console.log(cells.join(' '))
}

/** What one thing more costs the relay, in turns with the same requests without it. */
async function compareToPlain(scenario: Scenario, relay: Subject | undefined, done: Done): Promise<void> {
  const plain = scenarios.find(({ name }) => name === scenario.without)
  if (!plain || !relay) return
  const sums = { plain: emptyMeasure(), more: emptyMeasure() }
  for (let round = 0; round < 2 * rounds; round += 1) {
    await measure(relay, plain, secondsEach, sums.plain)
    await measure(relay, scenario, secondsEach, sums.more)
  }
  for (const measured of Object.values(sums)) count(done, relay, measured)
  const times = cpuMicros(sums.more) / cpuMicros(sums.plain)
  console.log(`\n${scenario.name}: ${times.toFixed(2)} times the processor time of ${plain.name}, in turns`)
}

const goalOf = ({ goal }: Scenario): string => {
  if (!goal) return ''
  return 'times' in goal ? `≤ ${goal.times}` : `≤${goal.addedMs}ms`
}

/** The ledgers and the upstream must agree to the last token. */
async function agree(mock: Child, bare: Subject, relays: readonly Subject[], done: Done): Promise<void> {
  await Bun.sleep(500)
  const totals = (await (await fetch(`${mock.url}/totals`)).json()) as {
    promptTokens: number
    completionTokens: number
  }
  const reported = totals.promptTokens + totals.completionTokens - (done.get(bare) ?? 0) * tokensEach
  const billed = (await Promise.all(relays.map(billedTokens))).reduce((sum, tokens) => sum + tokens, 0)
  const verdict = billed === reported ? 'agree' : 'DISAGREE'
  console.log(`ledger and upstream ${verdict}: ${billed} tokens billed, ${reported} tokens reported through the relay`)
  if (billed !== reported) process.exitCode = 1
}
