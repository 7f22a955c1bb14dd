import { type App, createApp } from '#server/app.ts'
import type { Context } from '#server/context.ts'
import { type StatementTimeouts, servingTimeouts } from '#server/db/database.ts'
import { listen, type Silences } from '#server/http/listen.ts'
import { allowCheapHashes } from '#server/lib/passwords.ts'
import { joinNodes } from '#server/nodes/join.ts'
import { readConfig } from '#server/process/config.ts'
import { createContext } from '#server/process/create-context.ts'
import { ensureRoot } from '#server/process/first-start.ts'
import type { ArgsOf, Endpoint, Envelope, OutputOf } from '#shared/contract.ts'
import { buildRequest } from '#shared/request.ts'
import { databaseUrlWithTables, retireDatabase } from './test-database.ts'

export const rootPassword = 'root-password'

/** A browser of sorts: keeps its cookie and calls endpoints of the contract over real HTTP. */
export interface TestClient {
  /** The whole envelope, with the HTTP status. */
  raw<E extends Endpoint>(
    endpoint: E,
    args: ArgsOf<E>,
  ): Promise<Envelope<OutputOf<E>> & { status: number } & Record<string, unknown>>
  /** The data of a call that must succeed. */
  call<E extends Endpoint>(endpoint: E, args: ArgsOf<E>): Promise<OutputOf<E>>
  fetch(path: string, init?: RequestInit): Promise<Response>
  cookie: string
}

export interface TestApp {
  readonly ctx: Context
  readonly url: string
  /** Jobs that work through the relay; nothing starts them here. */
  readonly jobs: App['jobs']
  /** Time of the node, in milliseconds; move it by hand. */
  readonly time: { now: number | null }
  /** What a node does first when it is asked to stop. */
  leave(): void
  client(headers?: Record<string, string>): TestClient
  /** A client logged in as the first account. */
  root(): Promise<TestClient>
  stop(): Promise<void>
}

export interface TestAppOptions {
  readonly env?: Record<string, string>
  readonly fetch?: typeof fetch
  /** Share the database of another app: a second node. */
  readonly databaseUrl?: string
  readonly timeouts?: StatementTimeouts
  /** How long connections may be silent, where a test waits for it. */
  readonly silences?: Silences
}

/** The real app on a fresh real database, listening on a port of its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  allowCheapHashes()
  const databaseUrl = options.databaseUrl ?? (await databaseUrlWithTables())
  const off = {
    RATE_LIMIT_API: '0',
    RATE_LIMIT_WEB: '0',
    RATE_LIMIT_CRITICAL: '0',
    RATE_LIMIT_REGISTER: '0',
    LOG_LEVEL: 'silent',
  }
  const { UPSTREAM_CLIENT = 'own' } = process.env
  const config = readConfig({
    UPSTREAM_CLIENT,
    ...off,
    INITIAL_ROOT_PASSWORD: rootPassword,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ...options.env,
  })
  const time: TestApp['time'] = { now: null }
  const ctx = await createContext(config, 'a secret key for tests', {
    clock: () => time.now ?? Date.now(),
    timeouts: options.timeouts ?? servingTimeouts,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  await ensureRoot(ctx)
  const nodes = await joinNodes(ctx)
  const app = createApp(ctx)
  const { silences } = options
  const server = listen(app.fetch, { port: 0, hostname: '127.0.0.1', ...(silences ? { silences } : {}) })
  const url = `http://127.0.0.1:${server.port}`
  return {
    ctx,
    url,
    jobs: app.jobs,
    time,
    client: (headers) => createClient(url, headers),
    async root() {
      const client = createClient(url)
      const answer = await client.fetch('/api/user/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'root', password: config.INITIAL_ROOT_PASSWORD }),
      })
      if (!((await answer.json()) as { success: boolean }).success) throw new Error('root cannot log in')
      return client
    },
    leave: app.leave,
    async stop() {
      await server.stop(true)
      await app.stop()
      await nodes.leave()
      await ctx.ledger.drain()
      await ctx.database.close()
      if (options.databaseUrl === undefined) await retireDatabase(databaseUrl)
    },
  }
}

/** A client of a server that runs at an address. */
export function createClient(url: string, headers: Record<string, string> = {}): TestClient {
  const client: TestClient = {
    cookie: '',
    async fetch(path, init = {}) {
      const cookies: Record<string, string> = client.cookie === '' ? {} : { cookie: client.cookie }
      const answer = await fetch(url + path, {
        redirect: 'manual',
        ...init,
        headers: { ...headers, ...cookies, ...init.headers },
      })
      for (const value of answer.headers.getSetCookie()) client.cookie = mergeCookie(client.cookie, value)
      return answer
    },
    async raw(endpoint, args) {
      const { path, init } = buildRequest(endpoint, args)
      const answer = await client.fetch(path, init)
      const text = await answer.text()
      return { status: answer.status, ...JSON.parse(text) }
    },
    async call(endpoint, args) {
      const envelope = await client.raw(endpoint, args)
      if (!envelope.success)
        throw new Error(`${endpoint.method} ${endpoint.path}: ${envelope.status} ${envelope.message}`)
      return endpoint.output.parse(envelope.data) as never
    },
  }
  return client
}

function mergeCookie(existing: string, setCookie: string): string {
  const pair = setCookie.split(';')[0] ?? ''
  const name = pair.slice(0, pair.indexOf('=') + 1)
  const others = existing.split('; ').filter((part) => part !== '' && !part.startsWith(name))
  return (pair === name ? others : [...others, pair]).join('; ')
}
