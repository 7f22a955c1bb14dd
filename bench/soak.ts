import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { api } from '#shared/api/all.ts'
import { operate } from './support/console.ts'
import { type OpenLoad, startOpenLoad } from './support/open-load.ts'
import { type Child, startChild } from './support/process.ts'
import { relayEnvironment } from './support/relay-environment.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '200' },
    streams: { type: 'string', default: '0.1' },
  },
})
const seconds = Math.round(Number(values.minutes) * 60)
const perSecond = Number(values.rate)
const streamShare = Number(values.streams)

const here = import.meta.dirname
const rootPassword = 'soak-password'
const delayMs = 60
const answerBytes = 500
/** Collection of garbage makes medians go up and down by this much. */
const growthMaxMb = 20
/** Enough rows to see a line, however long it runs. */
const sampleEverySeconds = Math.max(2, Math.round(seconds / 40))

/** Sends a steady load for long and shows that nothing fails, nothing grows and no unit of quota is lost. */
async function soak(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-soak-'))
  const env = relayEnvironment(folder, rootPassword)
  const mock = await startChild(join(here, 'support/mock-upstream.ts'))
  const relay = await startChild(join(here, '../server/main.ts'), ['serve'], env)
  let stopped = false
  try {
    const key = await prepare(relay, mock)
    console.log(`${perSecond} requests/s for ${seconds} s, ${streamShare * 100} % streams, on ${engine()}\n`)
    const load = startOpenLoad({ url: `${relay.url}/v1/chat/completions`, key, perSecond, streamShare, body })
    const memory = await watch(load, relay)
    const totals = await load.stop()
    const billed = await agrees(relay, mock)
    await relay.stop()
    stopped = true
    const drift = await reconciles(env)
    console.log(`\n${totals.requests} requests, ${totals.errors} errors ${JSON.stringify(totals.kinds)}`)
    const grown = growth(memory)
    console.log(`memory in the second quarter and in the last: ${grown.from.toFixed(0)} MB, ${grown.to.toFixed(0)} MB`)
    console.log(`ledger and upstream ${billed ? 'agree' : 'DISAGREE'}; ${drift.text}`)
    return totals.errors === 0 && billed && drift.ok && grown.to - grown.from < growthMaxMb
  } finally {
    if (!stopped) await relay.stop()
    await mock.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const engine = (): string => (process.env.DATABASE_URL?.startsWith('postgres') ? 'PostgreSQL' : 'SQLite')

const body = (stream: boolean): string =>
  JSON.stringify({
    model: 'soak',
    max_tokens: 100,
    ...(stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Say something about switchyards, briefly and in plain words.' }],
  })

async function prepare(relay: Child, mock: Child): Promise<string> {
  const call = await operate(relay.url, rootPassword)
  await call(api.options.update, { key: 'ModelRatio', value: '{"soak": 1}' })
  const base_url = `${mock.url}/${delayMs}/${answerBytes}`
  await call(api.channels.create, { name: `soak-${Date.now()}`, type: 1, key: 'soak', models: 'soak', base_url })
  const token = await call(api.tokens.create, { name: 'soak', unlimited_quota: true })
  return `sk-${token.key}`
}

/** Prints a line now and then until the time is over; returns the memory seen. */
async function watch(load: OpenLoad, relay: Child): Promise<number[]> {
  console.log('  second  requests  errors  running  p50 ms  p99 ms  first byte p99 ms  memory MB  CPU %')
  const memory: number[] = []
  let cpu = relay.cpuSeconds()
  for (let second = sampleEverySeconds; second <= seconds; second += sampleEverySeconds) {
    await Bun.sleep(sampleEverySeconds * 1000)
    const seen = load.sample()
    const now = relay.cpuSeconds()
    memory.push(relay.memoryMb())
    const cells: [number, number, number][] = [
      [second, 8, 0],
      [seen.requests, 10, 0],
      [seen.errors, 8, 0],
      [seen.running, 9, 0],
      [seen.p50, 8, 1],
      [seen.p99, 8, 1],
      [seen.firstByteP99, 19, 1],
      [memory.at(-1) ?? 0, 11, 0],
      [((now - cpu) / sampleEverySeconds) * 100, 7, 0],
    ]
    console.log(cells.map(([value, width, digits]) => value.toFixed(digits).padStart(width)).join(''))
    cpu = now
  }
  return memory
}

/** The first quarter is warming up. */
function growth(memory: readonly number[]): { from: number; to: number } {
  const middle = (part: readonly number[]) => [...part].sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
  const quarter = Math.max(1, Math.floor(memory.length / 4))
  return { from: middle(memory.slice(quarter, quarter * 2)), to: middle(memory.slice(-quarter)) }
}

/** What was billed is what the upstream reported, to the last token. */
async function agrees(relay: Child, mock: Child): Promise<boolean> {
  const totals = (await (await fetch(`${mock.url}/totals`)).json()) as {
    promptTokens: number
    completionTokens: number
  }
  const call = await operate(relay.url, rootPassword)
  const { token } = await call(api.logs.stat, { token_name: 'soak' })
  const reported = totals.promptTokens + totals.completionTokens
  if (token !== reported) console.log(`\n${token} tokens billed, ${reported} reported`)
  return token === reported
}

async function reconciles(env: Record<string, string>): Promise<{ ok: boolean; text: string }> {
  const child = Bun.spawn([process.execPath, join(here, '../server/main.ts'), 'reconcile'], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = (await new Response(child.stdout).text()).trim()
  return { ok: (await child.exited) === 0, text }
}

process.exitCode = (await soak()) ? 0 : 1
