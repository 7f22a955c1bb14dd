import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { ageLimits } from '#server/testing/age-limits.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import type { ArgsOf } from '#shared/contract.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

async function tokenWith(fields: Omit<ArgsOf<typeof api.tokens.create>, 'name'>) {
  const { id, key } = await scene.user.call(api.tokens.create, { name: 'mine', unlimited_quota: true, ...fields })
  const headers = { authorization: `Bearer sk-${key}` }
  return { id, key, ask: (body: Record<string, unknown> = {}) => scene.chat({ max_tokens: 5, ...body }, { headers }) }
}

type Token = Awaited<ReturnType<typeof tokenWith>>
const use = (token: Token) => scene.user.call(api.tokens.get, { id: token.id })

/** An upstream that answers once it is released. */
function slow() {
  const answer = Promise.withResolvers<void>()
  const behaviour: typeof good = async (seen) => {
    await answer.promise
    return good(seen)
  }
  return { behaviour, release: answer.resolve }
}

async function refused(response: Response) {
  expect(response.status).toBe(429)
  const wait = Number(response.headers.get('retry-after'))
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  expect(error.code).toBe('rate_limit_exceeded')
  return { message: error.message, header: (name: string) => response.headers.get(`x-ratelimit-${name}`) }
}

describe('a token', () => {
  test('lets in its requests a minute and no more, and says what is left', async () => {
    await scene.channel(good)
    const token = await tokenWith({ rpm: 3, tpm: 100_000 })
    const first = await token.ask()
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('3')
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('2')
    expect(first.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/)
    expect(first.headers.get('x-ratelimit-limit-tokens')).toBe('100000')
    const answers = await Promise.all(Array.from({ length: 20 }, () => token.ask()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const { message, header } = await refused(await token.ask())
    expect(message).toContain('token "mine": 3 requests a minute (rpm)')
    expect(header('remaining-requests')).toBe('0')
    expect(
      await eventually(
        () => use(token),
        ({ tpm_used }) => tpm_used === 45,
      ),
    ).toMatchObject({ rpm_used: 3 })
  })

  test('counts the answer’s limit as tokens, and the usage once it is known', async () => {
    await scene.channel(good)
    const token = await tokenWith({ tpm: 600 })
    expect((await token.ask({ max_tokens: 500 })).status).toBe(200)
    await eventually(
      () => use(token),
      ({ tpm_used }) => tpm_used === 15,
    )
    expect((await token.ask({ max_tokens: 500 })).status).toBe(200)
    await eventually(
      () => use(token),
      ({ tpm_used }) => tpm_used === 30,
    )
    expect((await refused(await token.ask({ max_tokens: 590 }))).message).toContain('tokens a minute (tpm)')
  })

  test('larger than the limit is let in when nothing else counts', async () => {
    await scene.channel(good)
    const token = await tokenWith({ tpm: 10 })
    expect((await token.ask({ max_tokens: 500 })).status).toBe(200)
    await refused(await token.ask({ max_tokens: 500 }))
  })

  test('gives its place back however an answer ends', async () => {
    const waiting = slow()
    const channel = await scene.channel([waiting.behaviour, errorAnswer(400, { message: 'no' }), good])
    const token = await tokenWith({ parallel: 1 })
    const running = token.ask()
    await eventually(
      async () => channel.seen.length,
      (seen) => seen === 1,
    )
    expect((await use(token)).parallel_used).toBe(1)
    expect((await refused(await token.ask())).message).toContain('1 requests at one time (parallel)')
    waiting.release()
    expect((await running).status).toBe(200)
    await eventually(
      () => use(token),
      ({ parallel_used }) => parallel_used === 0,
    )
    expect((await token.ask()).status).toBe(400)
    await eventually(
      () => use(token),
      ({ parallel_used }) => parallel_used === 0,
    )
    expect((await token.ask()).status).toBe(200)
  })

  test('without limits says nothing about them', async () => {
    await scene.channel(good)
    const { headers } = await scene.chat()
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  test('of one group reaches that group alone, and nothing once its user lost it', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, group: 'default,vip' })
    await scene.channel(good)
    const vip = await scene.channel(good, { group: 'vip', models: 'gpt-4o,gpt-4o-mini' })
    const token = await tokenWith({ group: 'vip' })
    expect((await token.ask()).status).toBe(200)
    expect(vip.seen).toHaveLength(1)
    await scene.root.call(api.users.update, { id: scene.userId, group: 'default' })
    expect((await token.ask()).status).toBe(404)
  })
})

describe('the users of a group', () => {
  test('share limits over all their tokens', async () => {
    await scene.channel(good)
    await scene.option('GroupLimits', '{"default": {"rpm": 2}}')
    const tokens = [await tokenWith({}), await tokenWith({})]
    const answers: number[] = []
    for (const token of [...tokens, ...tokens]) answers.push((await token.ask()).status)
    expect(answers).toEqual([200, 200, 429, 429])
    await scene.root.call(api.users.update, { id: scene.userId, group: 'default,free' })
    expect((await tokens[0]?.ask())?.status).toBe(200)
    await scene.root.call(api.users.update, { id: scene.userId, group: 'default' })
  })
})

describe('a channel at its limit', () => {
  test('is passed over, is not tried and uses no retry', async () => {
    const narrow = await scene.channel(good, { priority: 5, rpm: 1 })
    const wide = await scene.channel(good)
    const bill = await scene.bill(async () => {
      for (let at = 0; at < 3; at += 1) expect((await scene.chat()).status).toBe(200)
    })
    expect([narrow.seen.length, wide.seen.length]).toEqual([1, 2])
    expect(bill.rows.map(({ tried }) => tried)).toEqual([String(wide.id), String(wide.id), String(narrow.id)])
  })

  test('takes requests again as soon as the limit is raised', async () => {
    const { id } = await scene.channel(good, { rpm: 1 })
    expect((await scene.chat()).status).toBe(200)
    await refused(await scene.chat())
    await scene.root.call(api.channels.update, { id, rpm: 2 })
    expect((await scene.chat()).status).toBe(200)
    await refused(await scene.chat())
  })

  test('and nobody else makes the caller wait', async () => {
    await scene.channel(good, { rpm: 1 })
    expect((await scene.chat()).status).toBe(200)
    expect((await refused(await scene.chat())).message).toContain('channels of the model gpt-4o')
  })

  test('has its place free again after the answer', async () => {
    const waiting = slow()
    const channel = await scene.channel([waiting.behaviour, good], { parallel: 1 })
    const running = scene.chat()
    await eventually(
      async () => channel.seen.length,
      (seen) => seen === 1,
    )
    await refused(await scene.chat())
    waiting.release()
    expect((await running).status).toBe(200)
    await eventually(
      async () => (await scene.chat()).status,
      (status) => status === 200,
    )
  })
})

describe('a key that was rotated', () => {
  test('works until its grace is over, or is ended', async () => {
    await scene.channel(good)
    const token = await tokenWith({})
    const rotated = await scene.user.call(api.tokens.rotate, { id: token.id, grace: 100 })
    expect(rotated.key).not.toBe(token.key)
    const ask = (key: string) => scene.chat({}, { headers: { authorization: `Bearer sk-${key}` } })
    expect([(await ask(token.key)).status, (await ask(rotated.key)).status]).toEqual([200, 200])
    scene.app.time.now = Date.now() + 101_000
    expect([(await ask(token.key)).status, (await ask(rotated.key)).status]).toEqual([401, 200])
    scene.app.time.now = null
    expect((await ask(token.key)).status).toBe(200)
    const ended = await scene.user.call(api.tokens.endGrace, { id: token.id })
    expect(ended.previous_key_expires).toBe(0)
    expect((await ask(token.key)).status).toBe(401)
    await scene.user.call(api.tokens.rotate, { id: token.id, grace: 0 })
    expect((await ask(rotated.key)).status).toBe(401)
    for (const grace of [-1, 604_801, 1.5])
      expect((await scene.user.raw(api.tokens.rotate, { id: token.id, grace })).success).toBe(false)
  })
})

describe('budgets', () => {
  test('refuse with 402 and say whose they are and when they begin anew', async () => {
    await scene.channel(good)
    const token = await tokenWith({ budget: 1000, budget_period: 'day' })
    const before = (await scene.books()).userQuota
    expect((await token.ask({ max_tokens: 10 })).status).toBe(200)
    expect(
      await eventually(
        () => use(token),
        ({ budget_used }) => budget_used === 30,
      ),
    ).toMatchObject({ budget: 1000 })
    expect((await scene.books()).userQuota).toBe(before - 30)
    const response = await token.ask({ max_tokens: 4000, n: 3 })
    await scene.user.call(api.tokens.update, { id: token.id, budget: 40 })
    const { error } = (await (await token.ask()).json()) as { error: { code: string; message: string } }
    expect([200, 402]).toContain(response.status)
    expect(error.code).toBe('budget_exceeded')
    expect(error.message).toMatch(/token "mine".*begins anew at \d{4}-\d\d-\d\dT00:00:00Z/)
  })

  test('of a user count what he spends for teams, and a team pays from its own wallet', async () => {
    await scene.channel(good)
    const { id: teamId } = await scene.user.call(api.teams.create, { name: 'Blue' })
    const token = await tokenWith({ team_id: teamId })
    const empty = await token.ask()
    expect(empty.status).toBe(402)
    expect(await empty.text()).toContain('team \\"Blue\\"')
    await scene.root.call(api.teams.update, { id: teamId, quota: 5000 })
    const used = (await scene.user.call(api.account.self, {})).budget_used
    const bill = await scene.bill(async () => expect((await token.ask()).status).toBe(200))
    expect(bill).toMatchObject({ user: 0, userUsed: 30, requests: 1 })
    const team = await scene.user.call(api.teams.get, { id: teamId })
    expect(team).toMatchObject({ quota: 4970, used_quota: 30, request_count: 1, budget_used: 30 })
    expect(team.members).toMatchObject([{ used_quota: 30, budget_used: 30 }])
    expect((await scene.user.call(api.account.self, {})).budget_used).toBe(used + 30)
  })
})

describe('the vendors’ own clients', () => {
  /** Puts everything that was counted so far this many seconds into the past. */
  async function later(seconds: number): Promise<void> {
    const { database, clock } = scene.app.ctx
    if (database.engine === 'sqlite') scene.app.time.now = clock() + seconds * 1000
    else await ageLimits(database.db, seconds)
  }

  test('wait as long as the answer says and succeed by themselves', async () => {
    await scene.channel(good)
    const token = await tokenWith({ rpm: 2 })
    const openai = new OpenAI({ apiKey: token.key, baseURL: `${scene.app.url}/v1` })
    const anthropic = new Anthropic({ apiKey: token.key, baseURL: scene.app.url })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const asked = { model: 'gpt-4o', max_tokens: 5, messages }
    const first = await anthropic.messages.create(asked).withResponse()
    expect(first.response.headers.get('anthropic-ratelimit-requests-limit')).toBe('2')
    expect(first.response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('1')
    expect(first.response.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-.*Z$/)
    await openai.chat.completions.create(asked)
    // All but two seconds of the minute pass.
    await later(58)
    const clock = setInterval(() => {
      if (scene.app.time.now !== null) scene.app.time.now += 50
    }, 50)
    const [a, b] = await Promise.all([openai.chat.completions.create(asked), anthropic.messages.create(asked)])
    expect(a.choices[0]?.message.content).toBe('hello')
    expect(b.content[0]).toMatchObject({ text: 'hello' })
    clearInterval(clock)
    scene.app.time.now = null
  }, 20_000)
})
