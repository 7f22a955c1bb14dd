import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '#shared/api/all.ts'
import { operate } from './support/console.ts'
import { type LoadResult, runLoad } from './support/load.ts'
import { type Child, startChild } from './support/process.ts'
import { relayEnvironment } from './support/relay-environment.ts'

interface Scenario {
  readonly name: string
  readonly delayMs: number
  readonly bytes: number
  readonly stream: boolean
  readonly connections: readonly number[]
}

const scenarios: readonly Scenario[] = [
  { name: 'plain 0.2 KB, 0 ms', delayMs: 0, bytes: 200, stream: false, connections: [1, 8, 64, 256] },
  { name: 'plain 10 KB, 0 ms', delayMs: 0, bytes: 10_000, stream: false, connections: [64] },
  { name: 'plain 100 KB, 0 ms', delayMs: 0, bytes: 100_000, stream: false, connections: [64] },
  { name: 'plain 0.2 KB, 60 ms', delayMs: 60, bytes: 200, stream: false, connections: [64, 256] },
  { name: 'stream 64 × 20 ms', delayMs: 0, bytes: 0, stream: true, connections: [1, 64, 256] },
]

/** Requests the bare proxy carried: the upstream's counts contain them. */
let bareCompleted = 0

const rootPassword = 'bench-password'
const secondsEach = Number(process.env.BENCH_SECONDS ?? 4)

interface Measured {
  readonly load: LoadResult
  readonly perCpuSecond: number
}

/** The relay beside a bare proxy on the same runtime, in one run; figures are ratios and differences between the two. */
export async function benchRelay(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const here = import.meta.dirname
  const mock = await startChild(join(here, 'support/mock-upstream.ts'))
  const bare = await startChild(join(here, 'support/bare-proxy.ts'), [mock.url])
  const databaseUrl: Record<string, string> = process.env.BENCH_DATABASE_URL
    ? { DATABASE_URL: process.env.BENCH_DATABASE_URL }
    : {}
  const relay = await startChild(join(here, '../server/main.ts'), ['serve'], {
    ...relayEnvironment(folder, rootPassword),
    ...databaseUrl,
  })
  try {
    const key = await prepare(relay, mock)
    await warmUp({ relay, bare, key })
    console.log(`memory idle: relay ${relay.memoryMb().toFixed(0)} MB, bare proxy ${bare.memoryMb().toFixed(0)} MB\n`)
    console.log(
      'scenario               connections  relay req/CPU-s  bare req/CPU-s  ratio  added p50 ms  added p99 ms  added first byte ms  errors',
    )
    for (const scenario of scenarios)
      for (const connections of scenario.connections) await compare(scenario, connections, { relay, bare, key })
    console.log(`\nmemory after: relay ${relay.memoryMb().toFixed(0)} MB, bare proxy ${bare.memoryMb().toFixed(0)} MB`)
    await agree(relay, bare, mock)
  } finally {
    for (const child of [relay, bare, mock]) await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(relay: Child, mock: Child): Promise<string> {
  const call = await operate(relay.url, rootPassword)
  await call(api.options.update, {
    key: 'ModelRatio',
    value: JSON.stringify(Object.fromEntries(scenarios.map((scenario) => [modelOf(scenario), 1]))),
  })
  for (const scenario of scenarios) {
    await call(api.channels.create, {
      name: scenario.name,
      type: 1,
      key: 'bench',
      models: modelOf(scenario),
      base_url: `${mock.url}/${scenario.delayMs}/${scenario.bytes}`,
    })
  }
  const token = await call(api.tokens.create, { name: 'bench', unlimited_quota: true })
  return `sk-${token.key}`
}

const warmUpSeconds = Number(process.env.BENCH_WARM_UP ?? 30)
/** By then the log rows of the warm-up have been added to their totals. */
const restSeconds = 15

/** Both run until their compiler has nothing left to do: what is measured is the steady state. */
async function warmUp({ relay, bare, key }: { relay: Child; bare: Child; key: string }): Promise<void> {
  for (const scenario of scenarios.filter(({ stream, bytes, delayMs }) => stream || (bytes === 200 && delayMs === 0))) {
    const body = bodyOf(scenario)
    const load = { key, body, connections: 64, seconds: warmUpSeconds }
    bareCompleted += (await runLoad({ ...load, url: `${bare.url}/${scenario.delayMs}/${scenario.bytes}${path}` }))
      .requests
    await runLoad({ ...load, url: relay.url + path })
  }
  await Bun.sleep(restSeconds * 1000)
}

const path = '/v1/chat/completions'

const bodyOf = (scenario: Scenario): string =>
  JSON.stringify({
    model: modelOf(scenario),
    max_tokens: 100,
    ...(scenario.stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Say something about switchyards, briefly and in plain words.' }],
  })

const modelOf = ({ delayMs, bytes, stream }: Scenario): string =>
  `bench-${delayMs}-${bytes}-${stream ? 'stream' : 'plain'}`

async function compare(
  scenario: Scenario,
  connections: number,
  { relay, bare, key }: { relay: Child; bare: Child; key: string },
): Promise<void> {
  const body = bodyOf(scenario)
  const measure = async (child: Child, url: string): Promise<Measured> => {
    await runLoad({ url, key, body, connections, seconds: 0.5 }).then((warm) => {
      if (child === bare) bareCompleted += warm.requests
    })
    const before = child.cpuSeconds()
    const load = await runLoad({ url, key, body, connections, seconds: secondsEach })
    if (child === bare) bareCompleted += load.requests
    return { load, perCpuSecond: load.requests / Math.max(0.01, child.cpuSeconds() - before) }
  }
  const viaBare = await measure(bare, `${bare.url}/${scenario.delayMs}/${scenario.bytes}${path}`)
  const viaRelay = await measure(relay, relay.url + path)
  const cells = [
    scenario.name.padEnd(22),
    String(connections).padStart(11),
    viaRelay.perCpuSecond.toFixed(0).padStart(16),
    viaBare.perCpuSecond.toFixed(0).padStart(15),
    (viaRelay.perCpuSecond / viaBare.perCpuSecond).toFixed(2).padStart(6),
    (viaRelay.load.p50 - viaBare.load.p50).toFixed(2).padStart(13),
    (viaRelay.load.p99 - viaBare.load.p99).toFixed(2).padStart(13),
    (scenario.stream ? (viaRelay.load.firstByteP50 - viaBare.load.firstByteP50).toFixed(2) : '–').padStart(20),
    String(viaRelay.load.errors + viaBare.load.errors).padStart(7),
  ]
  console.log(cells.join(' '))
}

/** The ledger and the upstream must agree to the last token. */
async function agree(relay: Child, _bare: Child, mock: Child): Promise<void> {
  await Bun.sleep(500)
  const totals = (await (await fetch(`${mock.url}/totals`)).json()) as {
    completed: number
    promptTokens: number
    completionTokens: number
  }
  const call = await operate(relay.url, rootPassword)
  const stat = await call(api.logs.stat, {})
  const expected = totals.promptTokens + totals.completionTokens - bareCompleted * 30
  const verdict = stat.token === expected ? 'agree' : 'DISAGREE'
  console.log(
    `ledger and upstream ${verdict}: ${stat.token} tokens billed, ${expected} tokens reported through the relay`,
  )
  if (stat.token !== expected) process.exitCode = 1
}
