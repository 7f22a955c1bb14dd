import { expect } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { logIn } from './support/api-client.ts'
import { choose } from './support/axe.ts'
import { makeUser } from './support/make.ts'
import { test } from './support/test.ts'

const toast = '.mantine-Notification-root'

test.beforeEach(async ({ root, server, enterAs }) => {
  const { username, password } = await makeUser(root)
  await enterAs(await logIn(server.url, username, password))
})

test('redeeming a code adds its quota and says so [spec 2 top-up page] [spec 8 toast top-up]', {
  tag: '@smoke',
}, async ({ page, root }) => {
  const [code = ''] = await root.call(redemptionsApi.create, { name: 'autumn', quota: 500_000, count: 1 })
  await page.goto('/topup')
  const balance = page.locator('dl').filter({ hasText: 'Remaining quota' })
  await expect(balance).toContainText('$0.00')
  await page.getByLabel('Redemption code').fill(` ${code} `)
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.locator(toast)).toContainText('Top-up success')
  await expect(balance).toContainText('$1.00')
  await expect(page.getByLabel('Redemption code')).toHaveValue('')
  await page.getByLabel('Redemption code').fill(code)
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('Redemption failed, this code has already been used')).toBeVisible()
})

test('an empty code is a warning [spec 5 top-up]', async ({ page }) => {
  await page.goto('/topup')
  await page.getByLabel('Redemption code').fill('   ')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.locator(`${toast}[data-kind=warning]`)).toHaveText('please enter the top-up code')
})

test('an unknown code shows what the server says [spec 8 server message]', async ({ page }) => {
  await page.goto('/topup')
  await page.getByLabel('Redemption code').fill('no-such-code')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.locator(`${toast}[data-kind=error]`)).toHaveText('Redemption failed, invalid redemption code')
})

test('a request that does not get through is reported in two words [spec 8 top-up exception]', async ({ page }) => {
  await page.goto('/topup')
  await page.route('**/api/user/topup', (route) => route.abort())
  await page.getByLabel('Redemption code').fill('any')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.locator(`${toast}[data-kind=error]`)).toHaveText('request failed')
})

test('the button for codes opens the link, or says that there is none [spec 2 top-up link]', async ({
  page,
  root,
  context,
}) => {
  await root.call(optionsApi.update, { key: 'TopUpLink', value: '' })
  await page.goto('/topup')
  await page.getByRole('button', { name: 'Get redemption code' }).click()
  await expect(page.locator(toast)).toHaveText('the super admin has not set a top-up link')
  await root.call(optionsApi.update, { key: 'TopUpLink', value: 'https://pay.example.com/credit' })
  await context.route('https://pay.example.com/**', (route) => route.fulfill({ body: 'the shop' }))
  await page.reload()
  const [shop] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Get redemption code' }).click(),
  ])
  await expect(shop).toHaveURL('https://pay.example.com/credit')
  await root.call(optionsApi.update, { key: 'TopUpLink', value: '' })
})

test('in Chinese on a phone the same page works', async ({ page }) => {
  await choose(page, { language: 'zh' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/topup')
  await expect(page.getByText('剩余额度')).toBeVisible()
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(page.locator(toast)).toHaveText('请输入充值码')
})
