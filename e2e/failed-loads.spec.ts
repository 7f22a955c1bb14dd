import { expect } from '@playwright/test'
import { teamsApi } from '#shared/api/teams.ts'
import { makeToken, uniqueName } from './support/make.ts'
import { test } from './support/site.ts'

test('without an answer of the status, money is counted as the server said last [spec 8 status fetch]', async ({
  page,
  member,
  enterAs,
  setOptions,
}) => {
  await setOptions({ QuotaPerUnit: '1000' })
  await makeToken(member, { name: 'rich', remain_quota: 5000 })
  await enterAs(member)
  await page.goto('/token')
  await expect(page.getByText('$5.00').first()).toBeVisible()
  await page.route('**/api/status', (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.locator('[data-kind=error]')).toHaveText('unable to connect to the server normally')
  await expect(page.getByText('$5.00').first()).toBeVisible()
})

const refuse = { status: 500, json: { success: false, message: 'kaboom' } }

for (const [path, api, nothing] of [
  ['/token', '/api/token/', 'There is no token yet.'],
  ['/token/edit/1', '/api/token/1', 'Remaining quota'],
  ['/team', '/api/team/', 'You are in no team yet.'],
  ['/log', '/api/log/', 'Nothing has been logged yet.'],
  ['/about', '/api/about', 'The administrator has not written anything here yet.'],
  ['/setting?tab=operations', '/api/option/', 'Retries on failure'],
] as const) {
  test(`${path} says what could not be loaded instead of showing nothing`, async ({ page, root, enterAs }) => {
    await enterAs(root)
    const calls = (url: URL) => url.pathname === api
    await page.route(calls, (route) => route.fulfill(refuse))
    await page.goto(path)
    await expect(page.getByText('This could not be loaded.')).toBeVisible()
    await expect(page.getByText(nothing)).toHaveCount(0)
    await expect(page.getByText('in total')).toHaveCount(0)
    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('This could not be loaded.')).toHaveCount(0)
  })
}

test('several loads that fail alike are one toast', async ({ page, root, enterAs }) => {
  await enterAs(root)
  let failed = 0
  await page.route('**/api/channel/**', (route) => {
    failed += 1
    return route.fulfill(refuse)
  })
  await page.goto('/channel')
  await expect.poll(() => failed).toBeGreaterThan(1)
  await expect(page.getByText('This could not be loaded.')).toBeVisible()
  await expect(page.locator('[data-kind=error]')).toHaveText(['internal server error, contact the administrator'])
})

for (const [path, api, title] of [
  ['/price', '/api/price/', 'Prices'],
  ['/model', '/api/model/', 'Models'],
  ['/history', '/api/history/', 'History'],
  ['/playground', '/api/token/', 'Playground'],
  ['/routing?model=gpt-4o', '/api/routing/explain', 'Routing'],
  ['/routing/simulate', '/api/routing/simulate', 'Routing'],
] as const) {
  test(`${path} keeps its title, says why it could not be loaded, and tries again`, async ({ page, root, enterAs }) => {
    await enterAs(root)
    const calls = (url: URL) => url.pathname === api
    await page.route(calls, (route) => route.fulfill({ ...refuse, status: 200 }))
    await page.goto(path)
    await expect(page.getByText('This could not be loaded.')).toBeVisible()
    await expect(page.getByRole('main').getByText('kaboom')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('This could not be loaded.')).toHaveCount(0)
  })
}

test('accounts elsewhere are not called unbound before they are known', async ({ page, member, enterAs }) => {
  await enterAs(member)
  await page.route('**/api/user/self', (route) => route.fulfill(refuse))
  await page.goto('/setting')
  const bindings = page.getByRole('region', { name: 'Bindings' })
  await expect(bindings.getByText('This could not be loaded.')).toBeVisible()
  await page.unroute('**/api/user/self')
  await bindings.getByRole('button', { name: 'Try again' }).click()
  await expect(bindings.getByText('Not bound').first()).toBeVisible()
})

test('tokens and top-ups of a team that cannot be had are not called none', async ({ page, member, enterAs }) => {
  const { id } = await member.call(teamsApi.create, { name: uniqueName('Team ') })
  await enterAs(member)
  for (const api of ['/api/token/', '/api/log/self'])
    await page.route(
      ({ pathname }) => pathname === api,
      (route) => route.fulfill(refuse),
    )
  await page.goto(`/team/${id}`)
  for (const name of ['Tokens of the team', 'Money in'])
    await expect(page.getByRole('region', { name }).getByText('This could not be loaded.')).toBeVisible()
  await expect(page.getByText('There is no token that spends from this balance yet.')).toHaveCount(0)
})
