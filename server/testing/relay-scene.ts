import { api } from '#shared/api/all.ts'
import type { OptionKey } from '#shared/options.ts'
import { type Behaviour, type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'
import { startTestApp, type TestApp, type TestAppOptions, type TestClient } from './test-app.ts'

/** A relay ready to be called: root, a user with a token, and channels to fake upstreams. */
export interface RelayScene {
  readonly app: TestApp
  readonly root: TestClient
  readonly user: TestClient
  readonly userId: number
  readonly key: string
  readonly tokenId: number
  /** Adds a channel to a new fake upstream. */
  channel(behaviour: Behaviour | Behaviour[], more?: Partial<ChannelSettings>): Promise<SceneChannel>
  option(key: OptionKey, value: string | number | boolean): Promise<void>
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>
  chat(body?: Record<string, unknown>, init?: RequestInit): Promise<Response>
  /** Balances, counters and the newest row, read from the database. */
  books(): Promise<Books>
  stop(): Promise<void>
}

export interface SceneChannel extends FakeUpstream {
  readonly id: number
}

interface ChannelSettings {
  type: number
  models: string
  group: string
  priority: number
  weight: number
  model_mapping: string
  other: string
  key: string
  base_url: string
}

export interface Books {
  readonly userQuota: number
  readonly userUsed: number
  readonly requests: number
  readonly tokenRemain: number
  readonly tokenUsed: number
  readonly holds: number
  readonly rows: {
    quota: number
    prompt_tokens: number
    completion_tokens: number
    outcome: string
    channel: number
    tried: string
    detail: string
    content: string
    is_stream: number
    model_name: string
  }[]
}

export const startingQuota = 1_000_000

/** `gpt-4o` costs 1 per input token and 4 per output token here, so that sums can be done in one's head. */
export async function startRelayScene(
  options: TestAppOptions & { quota?: number; tokenQuota?: number } = {},
): Promise<RelayScene> {
  const app = await startTestApp(options)
  const root = await app.root()
  const { db } = app.ctx.database
  await root.call(api.users.create, { username: 'ann', password: 'password-ann' })
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'ann')
    .executeTakeFirstOrThrow()
  await root.call(api.users.update, { id: userId, quota: options.quota ?? startingQuota })
  const user = app.client()
  await user.call(api.auth.login, { username: 'ann', password: 'password-ann' })
  const tokenQuota = options.tokenQuota ?? startingQuota
  const token = await user.call(api.tokens.create, { name: 'test', remain_quota: tokenQuota })
  const upstreams: FakeUpstream[] = []
  const key = `sk-${token.key}`
  const scene: RelayScene = {
    app,
    root,
    user,
    userId,
    key,
    tokenId: token.id,
    async channel(behaviour, more = {}) {
      const upstream = startFakeUpstream(...(Array.isArray(behaviour) ? behaviour : [behaviour]))
      upstreams.push(upstream)
      const name = `channel-${upstreams.length}`
      await root.call(api.channels.create, {
        name,
        type: 1,
        key: `upstream-key-${upstreams.length}`,
        models: 'gpt-4o',
        base_url: upstream.url,
        ...more,
      })
      const { id } = await db.selectFrom('channels').select('id').where('name', '=', name).executeTakeFirstOrThrow()
      return { ...upstream, id }
    },
    option: (option, value) => root.call(api.options.update, { key: option, value: String(value) }),
    post: (path, body, init = {}) =>
      fetch(app.url + path, {
        method: 'POST',
        body: body instanceof FormData ? body : JSON.stringify(body),
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers },
      }),
    chat: (body = {}, init) =>
      scene.post(
        '/v1/chat/completions',
        { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body },
        init,
      ),
    books: () => readBooks(app, userId, token.id),
    async stop() {
      await app.stop()
      await Promise.all(upstreams.map((upstream) => upstream.stop()))
    },
  }
  await scene.option('ModelRatio', '{"gpt-4o": 1}')
  await scene.option('CompletionRatio', '{"gpt-4o": 4}')
  return scene
}

async function readBooks(app: TestApp, userId: number, tokenId: number): Promise<Books> {
  const { db } = app.ctx.database
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const token = await db.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
  const { holds } = await db.selectFrom('holds').select(db.fn.countAll<number>().as('holds')).executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('logs')
    .select([
      'quota',
      'prompt_tokens',
      'completion_tokens',
      'outcome',
      'channel',
      'tried',
      'detail',
      'content',
      'is_stream',
      'model_name',
    ])
    .where('type', '=', 2)
    .orderBy('id', 'desc')
    .execute()
  return {
    userQuota: user.quota,
    userUsed: user.used_quota,
    requests: user.request_count,
    tokenRemain: token.remain_quota,
    tokenUsed: token.used_quota,
    holds,
    rows,
  }
}
