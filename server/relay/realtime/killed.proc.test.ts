import { expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { openSocket } from '#server/testing/socket-client.ts'
import { startSocketUpstream } from '#server/testing/socket-upstream.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { createClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const start = 1_000_000
const usage = { total_tokens: 150, input_tokens: 100, output_tokens: 50 }
/** 100 × 2 + 50 × 8 */
const paid = 600
const filmed = 200_000

test('a killed node loses no more than the running answer: paid answers stay paid and lasting holds stay held', async () => {
  let isDone = false
  const studio = startFakeUpstream(() =>
    Response.json({ id: 'video_1', object: 'video', status: isDone ? 'completed' : 'in_progress', seconds: '4' }),
  )
  const voice = startSocketUpstream((socket, frame) => {
    if (!String(frame).includes('response.create')) return
    socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }))
    socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: 'r', delta: 'hello' }))
    if (socket.data.frames.length === 1)
      socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', status: 'completed', usage } }))
  })
  const limits = { RATE_LIMIT_API: '0', RATE_LIMIT_WEB: '0', RATE_LIMIT_CRITICAL: '0' }
  const env = {
    DATA_DIR: newFolder(),
    ...limits,
    ...(onPostgres ? { DATABASE_URL: await freshDatabaseUrl() } : { DATABASE_URL: '' }),
  }
  const first = await spawnServer(env)
  const signIn = async (url: string) => {
    const root = createClient(url)
    await root.call(api.auth.login, { username: 'root', password: '123456' })
    return root
  }
  const root = await signIn(first.url)
  await root.call(api.users.update, { id: 1, quota: start })
  const channel = { type: 1, key: 'k', group: 'default' }
  await root.call(api.channels.create, { ...channel, name: 'voice', models: 'gpt-realtime', base_url: voice.url })
  await root.call(api.channels.create, { ...channel, name: 'studio', models: 'sora-2', base_url: studio.url })
  const { key } = await root.call(api.tokens.create, { name: 'a', remain_quota: start })
  const headers = { authorization: `Bearer sk-${key}` }

  const client = await openSocket(`${first.url}/v1/realtime?model=gpt-realtime`, { headers })
  client.say({ type: 'response.create' })
  await client.frame('response.done')
  client.say({ type: 'response.create' })
  await eventually(
    () => client.frames.length,
    (count) => count === 5,
  )
  const body = JSON.stringify({ model: 'sora-2', prompt: 'a cat' })
  expect((await fetch(`${first.url}/v1/videos`, { method: 'POST', headers, body })).status).toBe(200)
  first.kill('SIGKILL')
  await first.exited

  const second = await spawnServer(env)
  const again = await signIn(second.url)
  const quota = async () => (await again.call(api.account.self, {})).quota
  await eventually(quota, (left) => left === start - paid - filmed, 45_000)
  isDone = true
  expect((await fetch(`${second.url}/v1/videos/video_1`, { headers })).status).toBe(200)
  const { used_quota: used, quota: left } = await again.call(api.account.self, {})
  expect([left, used]).toEqual([start - paid - filmed, paid + filmed])
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  const { code, output } = await runCommand(['reconcile'], env)
  expect([code, output]).toEqual([0, expect.stringContaining('drift 0')])
  await Promise.all([studio.stop(), voice.stop()])
}, 90_000)
