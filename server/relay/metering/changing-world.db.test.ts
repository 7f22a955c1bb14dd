import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatStream, type SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { proven } from '#server/testing/storm.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const plenty = 50_000_000
const parallel = 200
const models = 'gpt-4o,gpt-4.1'

let scene: RelayScene
let nodes: TestApp[]
beforeAll(async () => {
  scene = await startRelayScene({ quota: plenty, tokenQuota: plenty })
  nodes = onPostgres ? [scene.app, await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL })] : [scene.app]
})
afterAll(async () => {
  for (const node of nodes.slice(1)) await node.stop()
  await scene.stop()
})

const usage = { prompt_tokens: 9, completion_tokens: 1000 }

/** Answers late, fails every fifth time, and streams what is to be streamed. */
async function moody(seen: SeenRequest): Promise<Response> {
  const turn = Math.random()
  await Bun.sleep(turn * 60)
  if (turn < 0.2) return Response.json({ error: { message: 'no' } }, { status: 500 })
  if (seen.body.stream === true) return chatStream(['hello', ' you'], usage)(seen)
  const message = { role: 'assistant', content: 'hello' }
  return Response.json({ id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
}

const asks: readonly object[] = [{}, { n: 3 }, { stream: true }, { max_tokens: 50 }, { stream: true, model: 'gpt-4.1' }]

/** One of many; every fourth client leaves. */
async function ask(at: number, key: string): Promise<void> {
  const leaving = at % 4 === 0 ? AbortSignal.timeout(5 + (at % 100)) : undefined
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...asks[at % asks.length] }
  await fetch(`${nodes[at % nodes.length]?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    ...(leaving ? { signal: leaving } : {}),
  })
    .then((answer) => answer.text())
    .catch(() => '')
}

test('prices, channels, quotas, tokens and teams change under running requests: every one is paid once, and nothing drifts', async () => {
  const { root, user, userId, tokenId } = scene
  const { db } = scene.app.ctx.database
  const channels = [await scene.channel(moody, { models }), await scene.channel(moody, { models, priority: 1 })]
  await scene.option('RetryTimes', 3)
  const { id: team } = await root.call(api.teams.create, { name: 'changing' })
  await root.call(api.teams.update, { id: team, quota: plenty })
  const keys = [scene.key]

  const joinTeam = async () => {
    const { code } = await root.call(api.teams.invite, { id: team, role: 'member' })
    await user.call(api.teams.join, { code })
    const budget = { budget: plenty, budget_period: 'month' as const }
    const draft = { name: `member-${keys.length}`, unlimited_quota: true, remain_quota: 0, team_id: team, ...budget }
    keys.push(`sk-${(await user.call(api.tokens.create, draft)).key}`)
  }
  await joinTeam()

  const changes: readonly ((turn: number) => Promise<unknown>)[] = [
    (turn) => scene.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1 + (turn % 5), 'gpt-4.1': 2 })),
    (turn) => scene.option('GroupRatio', JSON.stringify({ default: 0.5 + (turn % 3) })),
    (turn) => root.call(api.channels.update, { id: channels[turn % 2]?.id ?? 0, weight: turn % 4 }),
    async (turn) => {
      const { id } = await scene.channel(moody, { models, priority: 2, name: `passing-${turn}` })
      await Bun.sleep(40)
      await root.call(api.channels.remove, { id })
    },
    (turn) => root.call(api.users.update, { id: userId, quota: plenty - turn }),
    async () => {
      const { quota } = await root.call(api.users.get, { id: userId })
      await root.call(api.users.update, { id: userId, quota: quota + 1000, quota_before: quota })
    },
    (turn) => user.call(api.tokens.update, { id: tokenId, unlimited_quota: turn % 2 === 0, remain_quota: plenty }),
    async (turn) => {
      const { id, key } = await user.call(api.tokens.create, { name: `passing-${turn}`, remain_quota: 1_000_000 })
      keys.push(`sk-${key}`)
      await Bun.sleep(40)
      await user.call(api.tokens.remove, { id })
    },
    async () => {
      await Bun.sleep(60)
      await root.call(api.teams.removeMember, { id: team, user_id: userId })
      await joinTeam()
    },
  ]
  let isOver = false
  const changing = changes.map(async (change) => {
    for (let turn = 0; !isOver; turn += 1) {
      await change(turn)
      await Bun.sleep(10)
    }
  })
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: parallel }, (_, at) => ask(at, keys.at(-1 - (at % 3)) ?? scene.key)))
  }
  isOver = true
  await Promise.all(changing)

  const until = Date.now() + 10_000
  while ((await scene.books()).holds + nodes.reduce((sum, { ctx }) => sum + ctx.ledger.heldInMemory(), 0) > 0) {
    expect(Date.now()).toBeLessThan(until)
    await Bun.sleep(50)
  }
  await proven(scene.app)
  const entries = await db.selectFrom('ledger_entries').selectAll().where('kind', '=', 'settle').execute()
  const { rows } = await scene.books()
  const paid = rows.filter(({ quota }) => quota > 0)
  expect(paid.length).toBeGreaterThan(parallel / 4)
  expect(new Set(paid.map(({ request_id }) => request_id)).size).toBe(paid.length)
  expect(entries.reduce((sum, { amount, team_amount }) => sum - amount - team_amount, 0)).toBe(
    paid.reduce((sum, { quota }) => sum + quota, 0),
  )
}, 60_000)
