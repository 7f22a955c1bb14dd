import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ tokenQuota: 600_000 })
  await scene.channel(chatAnswer('hello', { prompt_tokens: 19, completion_tokens: 3 }))
  await (await scene.chat()).text()
  await scene.bill(async () => {})
})
afterAll(() => scene.stop())
beforeEach(async () => {
  await scene.option('DisplayTokenStatEnabled', true)
  await scene.option('DisplayInCurrencyEnabled', true)
})

const spent = 31

async function ask(path: string, key = scene.key): Promise<Record<string, unknown>> {
  const answer = await fetch(scene.app.url + path, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, unknown>
}

const limit = (amount: number) => ({ soft_limit_usd: amount, hard_limit_usd: amount, system_hard_limit_usd: amount })

describe('the billing calls', () => {
  test.each(['', '/v1'])(
    'report under "%s" what the token may spend in all and what it has spent, in cents',
    async (at) => {
      expect(await ask(`${at}/dashboard/billing/subscription`)).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        ...limit(1.2),
        access_until: 0,
      })
      expect(await ask(`${at}/dashboard/billing/usage`)).toEqual({ object: 'list', total_usage: 0.0062 })
    },
  )

  test('report the user where the operator wants that', async () => {
    await scene.option('DisplayTokenStatEnabled', false)
    expect(await ask('/v1/dashboard/billing/subscription')).toMatchObject(limit(startingQuota / 500_000))
  })

  test('report the team whose wallet pays, not the holder of its token', async () => {
    await scene.option('DisplayTokenStatEnabled', false)
    const team = await scene.user.call(api.teams.create, { name: 'crew' })
    await scene.root.call(api.teams.update, { id: team.id, quota: 250_000 })
    const token = await scene.user.call(api.tokens.create, { name: 'shared', team_id: team.id })
    expect(await ask('/v1/dashboard/billing/subscription', `sk-${token.key}`)).toMatchObject(limit(0.5))
    expect(await ask('/v1/dashboard/billing/usage', `sk-${token.key}`)).toMatchObject({ total_usage: 0 })
  })

  test('count in quota where nothing is shown as currency', async () => {
    await scene.option('DisplayInCurrencyEnabled', false)
    expect(await ask('/v1/dashboard/billing/subscription')).toMatchObject(limit(600_000))
    expect(await ask('/v1/dashboard/billing/usage')).toMatchObject({ total_usage: spent * 100 })
  })

  test('report a large number for a token without a limit, and until when a token lasts', async () => {
    const expired_time = Math.floor(Date.now() / 1000) + 3600
    const token = await scene.user.call(api.tokens.create, { name: 'free', unlimited_quota: true, expired_time })
    const answer = await ask('/dashboard/billing/subscription', `sk-${token.key}`)
    expect(answer).toMatchObject({ ...limit(100_000_000), access_until: expired_time })
  })
})
