import { expect, test } from 'bun:test'
import { toFile } from 'openai'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { chatLine } from '#server/testing/batch-scene.ts'
import { startFilingVendor } from '#server/testing/filing/filing-vendor.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

const password = 'a password for root'

/** A client of the console, signed in as the first account. */
async function signIn(url: string) {
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password }),
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (path: string, body: unknown) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { data: { key: string } }).data
  }
}

test('a batch outlives kill -9: still held, paid once by the next process, nothing drifts', async () => {
  const vendor = startFilingVendor()
  const env = {
    DATABASE_URL: await freshDatabaseUrl(),
    INITIAL_ROOT_PASSWORD: password,
    SECRET_KEY: 'a secret key for tests',
  }
  const first = await spawnServer(env)
  const post = await signIn(first.url)
  await post('/api/channel/', { name: 'c', type: 1, key: 'k', models: 'gpt-4o', base_url: vendor.url })
  const { key } = await post('/api/token/', { name: 't', unlimited_quota: true })
  const { openai } = sdkClients(first.url, `sk-${key}`)
  const text = ['a', 'b'].map((id) => JSON.stringify(chatLine(id))).join('\n')
  const file = await openai.files.create({ file: await toFile(Buffer.from(text), 'b'), purpose: 'batch' })
  const endpoint = '/v1/chat/completions'
  const { id } = await openai.batches.create({ input_file_id: file.id, endpoint, completion_window: '24h' })
  first.kill('SIGKILL')
  await first.exited

  vendor.end(id, 'completed')
  const second = await spawnServer(env)
  const again = sdkClients(second.url, `sk-${key}`).openai
  expect((await again.batches.retrieve(id)).status).toBe('completed')
  expect((await again.batches.retrieve(id)).status).toBe('completed')
  second.kill('SIGKILL')
  await second.exited
  await vendor.stop()

  const database = openDatabase(env.DATABASE_URL)
  try {
    const { db } = database
    expect(await reconcile(db)).toEqual([])
    expect(await db.selectFrom('holds').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('long_work').selectAll().execute()).toEqual([])
    const rows = await db.selectFrom('logs').select(['quota', 'prompt_tokens']).where('type', '=', 2).execute()
    // $2.50 and $10 a million: 2 × (10 × 1.25 + 5 × 5) ÷ 2 = 37.5
    expect(rows).toEqual([{ quota: 38, prompt_tokens: 20 }])
  } finally {
    await database.close()
  }
}, 60_000)
