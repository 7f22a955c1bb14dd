import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer, type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { createOneApi } from '#server/testing/one-api/create.ts'
import { accessToken, keys, passwords } from '#server/testing/one-api/data.ts'
import type { OneApiVersion } from '#server/testing/one-api/schema.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { importBooks, importDatabase } from './import-database.ts'
import { openImport } from './open-import.ts'
import { createReport } from './report.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

interface Scene {
  readonly app: TestApp
  readonly upstream: FakeUpstream
  readonly address: string
  /** Imports and returns the lines of the report. */
  run(): Promise<string>
}

async function scene(version: OneApiVersion): Promise<Scene> {
  const upstream = startFakeUpstream(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  const address = await createOneApi({ version, upstream: upstream.url })
  const app = await borrowApp()
  opened.push(upstream, app)
  const run = async () => {
    const report = createReport()
    const { program, reader, close } = await openImport(app.ctx, { source: address }, report)
    try {
      await importDatabase(app.ctx, { program: program.name, reader, report })
    } finally {
      await close()
    }
    await app.ctx.refreshOptions()
    return report.lines().join('\n')
  }
  return { app, upstream, address, run }
}

const tables = ['users', 'tokens', 'channels', 'redemptions', 'options', 'logs', 'ledger_entries', 'meta']

async function everything({ ctx }: TestApp): Promise<string> {
  const all = tables.map(async (table) => [
    table,
    (await sql`select * from ${sql.table(table)}`.execute(ctx.database.db)).rows,
  ])
  return JSON.stringify(await Promise.all(all))
}

const userNamed = ({ ctx }: TestApp, username: string) =>
  ctx.database.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()

describe.each(['0.6.4', '0.6.11', 'fork'] as const)('a database of one-api %s', (version) => {
  test('keeps its balances, and the ledger proves them', async () => {
    const { app, run } = await scene(version)
    const report = await run()
    const { db } = app.ctx.database
    const balances = await db.selectFrom('users').select(['id', 'username', 'quota']).orderBy('id').execute()
    expect(balances).toEqual([
      { id: 1, username: 'root', quota: 500_000_000_000_000 },
      { id: 2, username: 'ann', quota: 1_000_000 },
      { id: 3, username: 'bob', quota: 0 },
      { id: 5, username: 'user_5', quota: 5 },
      { id: 70, username: 'carol', quota: 42 },
    ])
    const tokens = await db.selectFrom('tokens').select(['id', 'remain_quota', 'used_quota']).orderBy('id').execute()
    expect(tokens).toEqual([
      { id: 1, remain_quota: 600_000, used_quota: 1500 },
      { id: 2, remain_quota: 0, used_quota: 50 },
    ])
    expect(await reconcile(db)).toEqual([])
    expect(report).toContain('users: 5')
    expect(report).toContain('deleted users left out: 1')
    expect(report).toContain('negative quota set to 0: user 3 (-1234)')
  })

  test('lets people in with the passwords they have, and makes the hashes new', async () => {
    const { app, run } = await scene(version)
    await run()
    for (const [username, password] of Object.entries(passwords)) {
      await app.client().call(api.auth.login, { username, password })
    }
    const ann = await userNamed(app, 'ann')
    expect(ann.password_hash).toStartWith('$argon2id$')
    await app.client().call(api.auth.login, { username: 'ann', password: passwords.ann })
    const refused = await app.client().raw(api.auth.login, { username: 'ann', password: 'root-password' })
    expect(refused.success).toBeFalse()
  })

  test('serves requests with the keys, groups, channels and prices it had', async () => {
    const { app, upstream, run } = await scene(version)
    await run()
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${keys.ann}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(answer.status).toBe(200)
    expect(upstream.seen[0]?.headers.get('authorization')).toBe('Bearer upstream-key')
    expect((await userNamed(app, 'ann')).quota).toBe(1_000_000 - 30)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
    const ghost = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${keys.ghost}` } })
    expect(ghost.status).toBe(401)
  })

  test('changes nothing the second time', async () => {
    const { app, run } = await scene(version)
    await run()
    const before = await everything(app)
    expect(await run()).toBe('')
    expect(await everything(app)).toBe(before)
  })

  test('keeps what is worth keeping of its logs', async () => {
    const { app, run } = await scene(version)
    await run()
    const rows = await app.ctx.database.db.selectFrom('logs').selectAll().orderBy('created_at').execute()
    expect(rows.map(({ type, username, quota }) => ({ type, username, quota }))).toEqual([
      { type: 1, username: 'ann', quota: 0 },
      { type: 2, username: 'ann', quota: 1500 },
      { type: 4, username: 'root', quota: 0 },
    ])
    expect(rows[1]?.duration_ms).toBe(version === '0.6.4' ? 0 : 1234)
  })

  test('gives new rows numbers of their own', async () => {
    const { app, run } = await scene(version)
    await run()
    const { userId } = await signIn(app, { username: 'newcomer' })
    expect(userId).toBeGreaterThan(70)
  })
})

describe('what one-api left in disorder', () => {
  test('identifiers belong to one account, and those of deleted accounts are free', async () => {
    const { app, run } = await scene('0.6.4')
    const report = await run()
    const ann = await userNamed(app, 'ann')
    expect(ann).toMatchObject({
      email: 'ann@example.com',
      github_login: 'ann-codes',
      github_id: '',
      group: 'vip,default',
    })
    expect(await userNamed(app, 'bob')).toMatchObject({ email: '', wechat_id: 'wx-1', inviter_id: 2 })
    const nameless = { email: 'gone@example.com', password_hash: '', status: 2, inviter_id: 0 }
    expect(await userNamed(app, 'user_5')).toMatchObject(nameless)
    expect(await userNamed(app, 'carol')).toMatchObject({ github_login: '', wechat_id: '' })
    expect(report).toContain('email of another account cleared: user 3')
    expect(report).toContain('github id of another account cleared: user 70')
  })

  test('an access token still stands for its user, and is not kept in clear', async () => {
    const { app, run } = await scene('0.6.4')
    await run()
    const self = await app.client({ authorization: accessToken }).call(api.account.self, {})
    expect(self.username).toBe('root')
    expect(await everything(app)).not.toContain(accessToken)
  })

  test('secrets are sealed and never shown', async () => {
    const { app, run } = await scene('0.6.11')
    const report = await run()
    const stored = await everything(app)
    for (const secret of ['upstream-key', 'mail-secret', keys.ann]) {
      expect(stored).not.toContain(secret)
      expect(report).not.toContain(secret)
    }
    expect(app.ctx.options().SMTPToken).toBe('mail-secret')
  })

  test('channels are tidied, their settings found, and their routes made anew', async () => {
    const { app, run } = await scene('0.6.4')
    const report = await run()
    const { db } = app.ctx.database
    const channels = await db.selectFrom('channels').selectAll().orderBy('id').execute()
    expect(channels[0]).toMatchObject({
      models: 'gpt-4o,gpt-3.5-turbo',
      group: 'default,vip',
      weight: 0,
      used_quota: 900,
    })
    expect(channels[1]).toMatchObject({ other: '2024-06-01', model_mapping: '', status: 1 })
    expect(channels[2]).toMatchObject({ name: 'channel 3', status: 2 })
    expect(channels[3]).toMatchObject({ other: 'old-library' })
    expect(report).toContain('model mapping is no valid JSON, cleared: channel 2')
    expect(report).toContain('Channels disabled:\n  channel 3 (): base URL missing')
  })

  test('channel types of newer versions find a successor or are named', async () => {
    const { app, run } = await scene('0.6.11')
    const report = await run()
    const rows = await app.ctx.database.db
      .selectFrom('channels')
      .selectAll()
      .where('id', '>=', 10)
      .orderBy('id')
      .execute()
    expect(rows.map(({ id, type, base_url, status }) => [id, type, base_url, status])).toEqual([
      [10, 34, '', 1],
      [11, 32, '', 2],
      [12, 8, 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions', 1],
      [13, 8, 'https://llm.example.com/v1', 1],
      [14, 8, 'https://llm.example.com/api/chat/completions', 1],
    ])
    expect(report).toContain('channel 11 (aws): access key, secret or region missing')
    expect(report).toContain('channel 12 (gemini): Gemini, OpenAI compatible became Custom channel')
  })

  test('limits of a token survive; one that cannot be read switches it off', async () => {
    const { app, run } = await scene('0.6.11')
    await run()
    const rows = await app.ctx.database.db.selectFrom('tokens').selectAll().orderBy('id').execute()
    expect(rows[0]).toMatchObject({ models: 'gpt-4o,gpt-3.5-turbo', subnet: '127.0.0.0/8', status: 1 })
    expect(rows[1]).toMatchObject({ models: '', subnet: '', status: 2, unlimited_quota: 1, expired_time: 1 })
  })

  test('options are checked like everybody else’s', async () => {
    const { app, run } = await scene('0.6.4')
    const report = await run()
    expect(app.ctx.options()).toMatchObject({ SystemName: 'Old Relay', Theme: 'default', ModelRatio: { 'gpt-4o': 1 } })
    expect(app.ctx.options()).toMatchObject({ EmailVerificationEnabled: false, QuotaForNewUser: 0 })
    expect(report).toContain('option with an invalid value left out: GroupRatio, QuotaForNewUser')
    expect(report).toContain('option without a counterpart left out: LarkClientId')
    expect(report).toContain('EmailVerificationEnabled (SMTPServer)')
  })
})

test('an import that was interrupted before its log rows goes on with them', async () => {
  const { app, address, run } = await scene('0.6.4')
  const report = createReport()
  const { program, reader, close } = await openImport(app.ctx, { source: address }, report)
  await importBooks(app.ctx, { program: program.name, reader, report })
  await close()
  expect(await run()).toBe('  log rows: 3\n  log rows of deleted users left out: 1')
  expect(await run()).toBe('')
})

describe('an import that should not happen', () => {
  test('is refused where somebody works already, and leaves everything as it was', async () => {
    const { app, run } = await scene('0.6.4')
    await signIn(app)
    const before = await everything(app)
    await expect(run()).rejects.toThrow('The database is in use')
    expect(await everything(app)).toBe(before)
  })

  test('leaves nothing behind when it breaks off half way', async () => {
    const { app, run } = await scene('0.6.4')
    const before = await everything(app)
    const insert = app.ctx.secrets.seal
    Object.assign(app.ctx.secrets, {
      seal: () => {
        throw new Error('broken')
      },
    })
    await expect(run()).rejects.toThrow('broken')
    expect(await everything(app)).toBe(before)
    Object.assign(app.ctx.secrets, { seal: insert })
    expect(await run()).toContain('users: 5')
  })
})
