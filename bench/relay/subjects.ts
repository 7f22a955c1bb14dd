import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { runtimeSettings } from '#server/process/runtime-settings.mjs'
import { api } from '#shared/api/all.ts'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { operate } from '../support/console.ts'
import { type Child, startChild } from '../support/process.ts'
import { relayEnvironment } from '../support/relay-environment.ts'
import { modelOf, pathOf, type Scenario, scenarios } from './scenarios.ts'

/** One of those that are compared. */
export interface Subject {
  readonly name: 'bare' | 'relay' | 'before'
  readonly child: Child
  keyOf(scenario: Scenario): string
  urlOf(scenario: Scenario): string
  stop(): Promise<void>
}

const here = import.meta.dirname
const door = '/v1/chat/completions'
const rootPassword = 'bench-password'

export async function startBare(mock: Child): Promise<Subject> {
  const child = await startChild(join(here, '../support/bare-proxy.ts'), [mock.url])
  return {
    name: 'bare',
    child,
    keyOf: () => 'bare',
    urlOf: (scenario) => child.url + pathOf(scenario) + door,
    stop: async () => void (await child.stop()),
  }
}

/** A relay of this folder, or of another state of the project. */
export async function startRelay(
  mock: Child,
  { name, project, databaseUrl }: { name: 'relay' | 'before'; project?: string; databaseUrl?: string },
): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const child = await startChild(join(project ?? join(here, '../..'), 'server/main.ts'), ['serve'], {
    ...(project === undefined ? {} : settingsOf(project)),
    ...relayEnvironment(folder, rootPassword),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
  const keys = await setUp(child, mock, name === 'relay')
  return {
    name,
    child,
    keyOf: ({ limited = false }) => (limited ? keys.limited : keys.plain),
    urlOf: () => child.url + door,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** How another state of the project has its runtime started: with settings of its own, not with ours. */
function settingsOf(project: string): Record<string, string | undefined> {
  const unset = Object.fromEntries(Object.keys(runtimeSettings).map((name) => [name, undefined]))
  const path = join(project, 'server/process/runtime-settings.mjs')
  const own: typeof runtimeSettings = existsSync(path) ? require(path).runtimeSettings : requestsAtOnce
  return { ...unset, ...own }
}

/** What states had that knew no other setting. */
const requestsAtOnce = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' }

/** Far above what a bench asks for. */
const unreached = { budget: 1_000_000_000_000, budget_period: 'month', rpm: 1_000_000_000, tpm: 1_000_000_000 } as const

/** A state from before there were limits measures its plain token instead. */
async function setUp(relay: Child, mock: Child, hasLimits: boolean): Promise<{ plain: string; limited: string }> {
  const call = await operate(relay.url, rootPassword)
  const models = new Map(scenarios.map((scenario) => [modelOf(scenario), scenario]))
  const ratios = Object.fromEntries([...models.keys()].map((model) => [model, 1]))
  await call(api.options.update, { key: 'ModelRatio', value: JSON.stringify(ratios) })
  for (const [model, scenario] of models) {
    for (let at = 1; at <= (scenario.channels ?? 1); at += 1) {
      const base_url = mock.url + pathOf(scenario)
      await call(api.channels.create, {
        name: `${model} ${at}`,
        type: 1,
        key: 'bench',
        models: model,
        base_url,
        weight: at,
      })
    }
  }
  const token = { name: 'bench', unlimited_quota: true }
  const plain = await call(api.tokens.create, token)
  const limited = hasLimits ? await call(api.tokens.create, { ...token, ...unreached, name: 'limited' }) : plain
  return { plain: `sk-${plain.key}`, limited: `sk-${limited.key}` }
}

/** Tokens a relay has billed so far. */
export async function billedTokens({ child }: Subject): Promise<number> {
  const call = await operate(child.url, rootPassword)
  return (await call(api.logs.stat, {})).token
}

/** A PostgreSQL of our own with a network in between. */
export interface DistantDatabase {
  readonly url: string
  /** Another one on the same server: two states of the project do not share one. */
  readonly urlBefore: string
  /** Milliseconds there and back, at the median. */
  readonly roundTripMs: number
  stop(): Promise<void>
}

export async function startDistantDatabase(thereMs: number, backMs: number): Promise<DistantDatabase> {
  const postgres = await startPostgres({ fsync: 'on' })
  const { port } = new URL(postgres.url)
  const link = await startChild(join(here, '../support/delayed-link.ts'), [port, String(thereMs), String(backMs)])
  const url = new URL(postgres.url)
  url.port = new URL(link.url).port
  const urlBefore = new URL(url)
  urlBefore.pathname = '/before'
  await createDatabase(postgres.url, 'before')
  return {
    url: url.toString(),
    urlBefore: urlBefore.toString(),
    roundTripMs: await roundTrip(url.toString()),
    async stop() {
      await link.stop('SIGKILL')
      await postgres.stop()
    },
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
}

async function roundTrip(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const times: number[] = []
  for (let at = 0; at < 50; at += 1) {
    const began = performance.now()
    await client.query('select 1')
    times.push(performance.now() - began)
  }
  await client.end()
  return times.sort((a, b) => a - b)[25] ?? 0
}
