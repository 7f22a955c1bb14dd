import { expect } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'
import { rowOf } from './support/lists.ts'
import { makeChannel, removeChannels, uniqueName } from './support/make.ts'
import { makeSpender, startUpstream } from './support/relay.ts'
import { test } from './support/site.ts'

/** A change made in one place is seen at once in all others that show the same. */
test('a channel that the palette disables is disabled in the list behind it', async ({ page, root, enterAs }) => {
  const { name } = await makeChannel(root)
  await enterAs(root)
  await page.goto('/channel')
  await expect(rowOf(page, name)).toContainText('Enabled')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill(name)
  await page.getByRole('option', { name: `Disable ${name}` }).click()
  await page.getByRole('option', { name: `Yes, disable ${name}` }).click()
  await expect(rowOf(page, name)).toContainText('Manually disabled')
})

test('the navigation stops counting a model without a price when its channel goes off', async ({
  page,
  root,
  enterAs,
}) => {
  await removeChannels(root)
  const { name } = await makeChannel(root, { models: 'nobody-prices-this' })
  await enterAs(root)
  await page.goto('/channel')
  const waiting = page.getByRole('navigation').getByRole('img', { name: '1 needs attention' })
  await expect(waiting).toHaveCount(1)
  await page.getByRole('button', { name: `Disable ${name}` }).click()
  await expect(waiting).toHaveCount(0)
})

test('an administrator who sets the own quota sees it in the bar', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto(`/user/edit/${root.user.id}`)
  await page.getByLabel('Remaining quota').fill('123000000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/user$/)
  await expect(page.getByRole('banner')).toContainText('$246.00')
})

test('money that comes in elsewhere is seen in the bar and among the top-ups when one comes back to the tab', async ({
  page,
  root,
  member,
  enterAs,
}) => {
  await page.clock.install()
  await enterAs(member)
  await page.goto('/topup')
  await expect(page.getByRole('banner')).toContainText('$0.00')
  await expect(page.getByText('Nothing has been redeemed yet.')).toBeVisible()
  const [key = ''] = await root.call(redemptionsApi.create, { name: 'elsewhere', quota: 1_500_000, count: 1 })
  await member.call(accountApi.topUp, { key })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('banner')).toContainText('$3.00')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('$3.00')
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await root.call(usersApi.update, { id: member.user.id, quota: 2_500_000 })
  await page.clock.runFor(61_000)
  await expect(page.getByRole('banner')).toContainText('$5.00')
})

test('top-ups of a team do not push the own ones out of their list', async ({ page, root, server, enterAs }) => {
  const spender = await makeSpender(root, server.url)
  const { id } = await spender.call(teamsApi.create, { name: uniqueName('Team ') })
  for (let made = 0; made < 10; made += 1) await spender.call(teamsApi.transfer, { id, quota: 100 })
  await enterAs(spender)
  await page.goto('/topup')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('$10.00')
})

test('the playground shows what an answer has left of its token and of the balance', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const upstream = await startUpstream(root, ['gpt-4-32k'])
  try {
    const spender = await makeSpender(root, server.url)
    await spender.call(tokensApi.create, { name: 'play', remain_quota: 1_000_000 })
    await enterAs(spender)
    await page.goto('/playground?model=gpt-4-32k')
    await expect(page.getByLabel('Paid by').locator('option')).toContainText('($2.00 left)')
    await page.getByLabel('Message').fill('Hello')
    const again = ['/api/token/', '/api/user/self'].map((path) =>
      page.waitForResponse((response) => new URL(response.url()).pathname === path),
    )
    await page.getByRole('button', { name: 'Send' }).click()
    await Promise.all(again)
  } finally {
    await upstream.stop()
  }
})
