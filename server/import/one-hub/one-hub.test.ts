import { afterEach, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { ask, balanceOf, importInto } from '#server/testing/import-scene.ts'
import { createOneHub, keys, passwords } from '#server/testing/one-hub/data.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

async function scene() {
  const details = { prompt_tokens_details: { cached_tokens: 400 } }
  const upstream = startFakeUpstream(chatAnswer('hello', { prompt_tokens: 1000, completion_tokens: 100, ...details }))
  const { address } = await createOneHub(upstream.url)
  const app = await startTestApp()
  opened.push(upstream, app)
  const report = await importInto(app, { source: address, program: 'one-hub' })
  return { app, upstream, report, lines: report.lines().join('\n') }
}

test('accounts, balances and codes of one-hub are taken over, the deleted are not', async () => {
  const { app, lines } = await scene()
  const { db } = app.ctx.database
  expect(await db.selectFrom('users').select(['username', 'quota']).orderBy('id').execute()).toEqual([
    { username: 'root', quota: 900_000 },
    { username: 'ann', quota: 1_000_000 },
  ])
  expect(await reconcile(db)).toEqual([])
  const ann = app.client()
  await ann.call(api.auth.login, { username: 'ann', password: passwords.ann })
  await ann.call(api.account.topUp, { key: 'hub-code' })
  expect(await balanceOf(app, 'ann')).toBe(1_005_000)
  expect(lines).toContain('deleted users left out: 1')
  expect(lines).toContain('top-ups: 1')
  expect(lines).toContain('drawing tasks: 1.')
})

test('keys of one-hub reach what they reached and pay what they paid', async () => {
  const { app, upstream } = await scene()
  const status = async (key: string, model = 'm-1') => (await ask(app, key, model)).status
  const before = await balanceOf(app, 'ann')
  expect(await status(keys.plain)).toBe(200)
  // Half the price for the group, half for what was cached.
  expect(before - (await balanceOf(app, 'ann'))).toBe((600 + 400 * 0.5 + 100 * 3) * 2 * 0.5)
  expect(upstream.seen[0]?.headers.get('x-team')).toBe('blue')
  expect(await status(keys.plain, 'alias')).toBe(200)
  expect(await status(keys.models)).toBe(200)
  expect(await status(keys.models, 'alias')).not.toBe(200)
  for (const key of [keys.home, keys.closed, keys.deleted]) expect(await status(key)).not.toBe(200)
  expect(upstream.seen.every(({ path }) => !path.includes('dead'))).toBeTrue()
})

test('channels of one-hub become what they are, groups keep ratio and limit', async () => {
  const { app, report } = await scene()
  const rows = await app.ctx.database.db.selectFrom('channels').select(['id', 'type']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 1, type: 1 },
    { id: 2, type: 24 },
  ])
  const leftOut = report.facts().channels.filter(({ outcome }) => outcome === 'left out')
  expect(leftOut.map(({ id }) => id)).toEqual([3, 4])
  expect(app.ctx.options()).toMatchObject({ GroupRatio: { default: 0.5 }, GroupLimits: { default: { rpm: 120 } } })
})
