import { api } from '#shared/api/all.ts'
import type { FakeUpstream } from './fake-upstream.ts'
import { type SpawnedServer, spawnServer } from './spawned-server.ts'
import { createClient } from './test-app.ts'

/** A person of a spawned server with a key. */
export interface SpawnedPerson {
  readonly id: number
  readonly key: string
  balance(): Promise<number>
}

/** The program in a process of its own with one channel to a fake upstream, where `gpt-4o` costs 1 per token read and 4 per token written. */
export interface SpawnedScene {
  readonly server: SpawnedServer
  person(
    username: string,
    quota: number,
    limits?: { readonly rpm?: number; readonly parallel?: number },
  ): Promise<SpawnedPerson>
  chat(key: string, body?: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

const small = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

/** Stops the upstream when it stops. */
export async function startSpawnedScene(
  upstream: Pick<FakeUpstream, 'url' | 'stop'>,
  env: Record<string, string> = {},
): Promise<SpawnedScene> {
  const server = await spawnServer({ INITIAL_ROOT_PASSWORD: 'root-password', RATE_LIMIT_CRITICAL: '0', ...env })
  const root = createClient(server.url)
  await root.call(api.auth.login, { username: 'root', password: 'root-password' })
  await root.call(api.options.update, { key: 'ModelRatio', value: '{"gpt-4o": 1}' })
  const channel = { name: 'only', type: 1, key: 'k', models: 'gpt-4o', base_url: upstream.url }
  await root.call(api.channels.create, channel)
  return {
    server,
    async person(username, quota, limits = {}) {
      await root.call(api.users.create, { username, password: 'a-password' })
      const client = createClient(server.url)
      await client.call(api.auth.login, { username, password: 'a-password' })
      const { id } = await client.call(api.account.self, {})
      await root.call(api.users.update, { id, quota })
      const token = await client.call(api.tokens.create, { name: 'test', unlimited_quota: true, ...limits })
      const balance = async () => (await client.call(api.account.self, {})).quota
      return { id, key: `sk-${token.key}`, balance }
    },
    chat: (key, body = small, headers = {}) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body,
      }),
    async stop() {
      server.kill('SIGTERM')
      await server.exited
      await upstream.stop()
    },
  }
}
