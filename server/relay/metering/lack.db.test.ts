import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 4000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

/** What is said to somebody whose 4,000 of quota do not pay for the least that is held, 4,109. */
async function refused(init?: RequestInit): Promise<string> {
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  let text = ''
  const bill = await scene.bill(async () => {
    const answer = await scene.chat({ max_tokens: 2000 }, init)
    expect(answer.status).toBe(402)
    text = await answer.text()
  })
  expectUntouched(bill)
  return text
}

test('a 402 speaks in dollars where the currency is on', async () => {
  expect(await refused()).toMatch(/\$0\.008000 left, at least \$0\.008218 needed/)
})

test('a 402 speaks in dollars of the operator, who chooses how much quota one is', async () => {
  await scene.option('QuotaPerUnit', 1000)
  expect(await refused()).toMatch(/\$4\.000000 left, at least \$4\.109000 needed/)
})

test('a 402 speaks in quota where the currency is off', async () => {
  await scene.option('DisplayInCurrencyEnabled', false)
  const text = await refused()
  expect(text).toMatch(/ 4000 left, at least 4109 needed/)
  expect(text).not.toContain('$')
})

test('a budget that is used up is named in the same way', async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  await scene.user.call(api.tokens.update, { id: scene.tokenId, budget: 4000, budget_period: 'day' })
  expect(await refused()).toMatch(/budget .*\$0\.008000 left, \$0\.008218 needed/)
  await scene.option('DisplayInCurrencyEnabled', false)
  expect(await refused()).toMatch(/budget .* 4000 left, 4109 needed/)
})
