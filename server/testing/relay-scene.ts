import { sql } from 'kysely'
import { api } from '#shared/api/all.ts'
import type { OptionKey } from '#shared/options.ts'
import { borrowApp } from './borrow-app.ts'
import { type Behaviour, type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'
import { insertScene, scenePassword } from './scene-rows.ts'
import { setOptions } from './set-options.ts'
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
  /** Balances, counters and the rows, newest first, read from the database. */
  books(): Promise<Books>
  /** Does something and returns what it cost, once no hold is open any more. */
  bill(work: () => Promise<unknown>): Promise<Bill>
  /** Removes all channels and puts the options back, so that tests can share a scene. */
  clear(): Promise<void>
  stop(): Promise<void>
}

export interface SceneChannel extends FakeUpstream {
  readonly id: number
}

interface ChannelSettings {
  name: string
  type: number
  models: string
  group: string
  priority: number
  weight: number
  model_mapping: string
  other: string
  key: string
  base_url: string
  rpm: number
  parallel: number
}

/** How balances and counters moved, and the rows that were written. */
export interface Bill {
  readonly user: number
  readonly userUsed: number
  readonly requests: number
  readonly token: number
  readonly tokenUsed: number
  readonly channels: number
  readonly holds: number
  readonly rows: Books['rows']
}

export interface Books {
  readonly userQuota: number
  readonly userUsed: number
  readonly requests: number
  readonly tokenRemain: number
  readonly tokenUsed: number
  readonly channelsUsed: number
  readonly holds: number
  readonly rows: {
    id: number
    request_id: string
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

const prices = { RetryTimes: '0', ModelRatio: '{"gpt-4o": 1}', CompletionRatio: '{"gpt-4o": 4}' }

/** `gpt-4o` costs 1 per input token and 4 per output token here, so that sums can be done in one's head. */
export async function startRelayScene({
  quota = startingQuota,
  tokenQuota = startingQuota,
  ...options
}: TestAppOptions & { quota?: number; tokenQuota?: number } = {}): Promise<RelayScene> {
  const app = await (Object.keys(options).length === 0 ? borrowApp() : startTestApp(options))
  const { db } = app.ctx.database
  const { userId, tokenId, key } = await insertScene(app.ctx, { quota, tokenQuota })
  await setOptions(app, prices)
  const root = await app.root()
  const user = app.client()
  await user.call(api.auth.login, { username: 'ann', password: scenePassword })
  const upstreams: FakeUpstream[] = []
  const { option, restore } = rememberOptions(app, root)
  const scene: RelayScene = {
    app,
    root,
    user,
    userId,
    key,
    tokenId,
    async channel(behaviour, more = {}) {
      const upstream = startFakeUpstream(...(Array.isArray(behaviour) ? behaviour : [behaviour]))
      upstreams.push(upstream)
      const name = more.name ?? `channel-${upstreams.length}`
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
    option,
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
    books: () => readBooks(app, userId, tokenId),
    async bill(work) {
      const before = await scene.books()
      await work()
      return difference(before, await untilSettled(scene.books))
    },
    async clear() {
      const channels = await db.selectFrom('channels').select('id').execute()
      for (const { id } of channels) await root.call(api.channels.remove, { id })
      await Promise.all(upstreams.splice(0).map((upstream) => upstream.stop()))
      await restore()
    },
    async stop() {
      await app.stop()
      await Promise.all(upstreams.map((upstream) => upstream.stop()))
    },
  }
  return scene
}

/** Sets options and knows what they were before. */
function rememberOptions(app: TestApp, root: TestClient) {
  const before = new Map<OptionKey, string>()
  const option: RelayScene['option'] = (key, value) => {
    const known = app.ctx.options()[key]
    if (!before.has(key)) before.set(key, typeof known === 'object' ? JSON.stringify(known) : String(known))
    return root.call(api.options.update, { key, value: String(value) })
  }
  const restore = async () => {
    for (const [key, value] of before) await root.call(api.options.update, { key, value })
    before.clear()
  }
  return { option, restore }
}

const timeoutMs = 5000

/** Settlements of answers nobody waits for come a moment later. */
async function untilSettled(read: () => Promise<Books>): Promise<Books> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const books = await read()
    if (books.holds === 0 || Date.now() > until) return books
    await Bun.sleep(10)
  }
}

function difference(before: Books, after: Books): Bill {
  const newest = before.rows[0]?.id ?? 0
  return {
    user: after.userQuota - before.userQuota,
    userUsed: after.userUsed - before.userUsed,
    requests: after.requests - before.requests,
    token: after.tokenRemain - before.tokenRemain,
    tokenUsed: after.tokenUsed - before.tokenUsed,
    channels: after.channelsUsed - before.channelsUsed,
    holds: after.holds,
    rows: after.rows.filter((row) => row.id > newest),
  }
}

async function readBooks(app: TestApp, userId: number, tokenId: number): Promise<Books> {
  const { db } = app.ctx.database
  // First, so that with none left the balances read after it are the settled ones.
  const inMemory = app.ctx.ledger.heldInMemory()
  const { holds } = await db.selectFrom('holds').select(db.fn.countAll<number>().as('holds')).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const token = await db.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
  const { used } = await db
    .selectFrom('channels')
    .select(sql<number>`coalesce(sum(used_quota), 0)`.as('used'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('logs')
    .select([
      'id',
      'request_id',
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
    channelsUsed: used,
    holds: holds + inMemory,
    rows,
  }
}
