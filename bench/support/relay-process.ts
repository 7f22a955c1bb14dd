import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '#shared/api/all.ts'
import { operate } from './console.ts'
import { type Child, startChild } from './process.ts'
import { relayEnvironment } from './relay-environment.ts'

export const plainModel = 'crash-plain'
export const streamModel = 'crash-stream'
/** What one answer of the mock costs: 20 tokens in at 1, 10 out at 4. */
export const answerCost = 60
export const rootPassword = 'crash-password'
const startPatienceMs = 120_000

/** One relay that may die and come back: the same address and the same data. */
export interface RelayProcess {
  readonly url: string
  readonly databaseUrl: string
  /** Starts it; resolves when it is ready, with the milliseconds that took. */
  start(): Promise<number>
  kill(): Promise<void>
  memoryMb(): number
  /** Pauses it, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number>
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export async function createRelayProcess(
  databaseUrl?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RelayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-crash-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const database = databaseUrl ?? `sqlite:${join(folder, 'switchyard.db')}`
  let child: Child | null = null
  const env = {
    ...relayEnvironment(folder, rootPassword),
    PORT: String(port),
    DATABASE_URL: database,
    LOG_LEVEL: 'silent',
    ...more,
  }
  return {
    url,
    databaseUrl: database,
    async start() {
      const began = performance.now()
      child = await startChild(join(import.meta.dirname, '../../server/main.ts'), ['serve'], env)
      while (!(await isReady(url))) {
        if (performance.now() - began > startPatienceMs) throw new Error('a relay did not become ready')
        await Bun.sleep(10)
      }
      return performance.now() - began
    },
    memoryMb: () => child?.memoryMb() ?? 0,
    signal(name) {
      if (child) process.kill(child.pid, name)
    },
    async kill() {
      await child?.stop('SIGKILL')
    },
    stop: async () => (await child?.stop('SIGTERM')) ?? 0,
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )

/** Prices, two channels to the mock, and tokens: of the own wallet, of a team, with budgets and with limits. Returns their keys. */
export async function setUpRelay(relay: RelayProcess, mock: Child): Promise<string[]> {
  const call = await operate(relay.url, rootPassword)
  const ratios = (ratio: number) => JSON.stringify({ [plainModel]: ratio, [streamModel]: ratio })
  await call(api.options.update, { key: 'ModelRatio', value: ratios(1) })
  await call(api.options.update, { key: 'CompletionRatio', value: ratios(4) })
  for (const [models, path] of [
    [plainModel, '/5/200'],
    [streamModel, '/0/0'],
  ] as const) {
    await call(api.channels.create, { name: models, type: 1, key: 'mock', models, base_url: mock.url + path })
  }
  await call(api.users.update, { id: 1, quota: 1_000_000_000 })
  const team = await call(api.teams.create, { name: 'crash' })
  const plenty = 1_000_000_000
  await call(api.teams.update, { id: team.id, quota: plenty, budget: plenty, budget_period: 'day' })
  const limits = { rpm: plenty, tpm: plenty, parallel: 1000 }
  const drafts = [
    { name: 'own', remain_quota: plenty },
    { name: 'own budget', unlimited_quota: true, budget: plenty, budget_period: 'day' as const, ...limits },
    { name: 'team', team_id: team.id, remain_quota: plenty },
    { name: 'team budget', team_id: team.id, unlimited_quota: true, budget: plenty, ...limits },
  ]
  const keys: string[] = []
  for (const draft of drafts) keys.push(`sk-${(await call(api.tokens.create, draft)).key}`)
  return keys
}
