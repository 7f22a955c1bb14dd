import { expect } from '@playwright/test'
import { pricesApi } from '#shared/api/prices.ts'
import { expectAccessible, expectNoSideways } from './support/axe.ts'
import { expectToast, search } from './support/lists.ts'
import { makeChannel, uniqueName } from './support/make.ts'
import { chat } from './support/relay.ts'
import { phone, test } from './support/site.ts'

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('columns stand in bands, and an unpriced model says on top who carries it and what was refused', async ({
  page,
  root,
  server,
}) => {
  const [channel, model] = [uniqueName('paris'), uniqueName('house-model')]
  await makeChannel(root, { name: channel, models: model })
  for (let asked = 0; asked < 2; asked += 1) await expect(chat(root, server.url, model)).rejects.toThrow('403')
  await page.goto('/price')
  for (const band of ['Price', 'Cost on the channels', 'Last 30 days'])
    await expect(page.getByRole('columnheader', { name: band, exact: true })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: model })
  await expect(row).toContainText('No price')
  await expect(row).toContainText(`${channel} carries it; 2 refused in 24 h.`)
  await expectAccessible(page)
  await page.goto('/price?page=99')
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await expect(row).toBeVisible()
})

test('the price of a picture opens in a panel with its sizes, and is saved with the draft', { tag: '@smoke' }, async ({
  page,
  root,
}) => {
  await makeChannel(root, { name: uniqueName('track'), models: 'dall-e-3' })
  await page.goto('/price')
  await search(page, 'dall-e-3')
  const opener = page.getByRole('button', { name: 'Edit the price of dall-e-3' })
  await expect(opener).toContainText('6 sizes from $0.04 to $0.12')
  await opener.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'dall-e-3' })
  await expect(page).toHaveURL(/open=dall-e-3/)
  await panel.getByLabel('Price per picture').fill('0.06')
  await expect(panel.getByRole('row', { name: 'hd, 1024 × 1792' })).toContainText('$0.12 → $0.18')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save prices' }).click()
  await expectToast(page, 'success', 'Prices saved')
  const { list } = await root.call(pricesApi.list, { keyword: 'dall-e-3' })
  expect(list.find(({ model }) => model === 'dall-e-3')).toMatchObject({ source: 'own', input_usd: 0.06 })
  await page.locator('[data-kind=success]').getByRole('button', { name: 'Close' }).click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(opener).toBeFocused()
  await root.call(pricesApi.remove, { model: 'dall-e-3' })
})

test('a price that begins like the one before is taken as typed', async ({ page, root }) => {
  await makeChannel(root, { models: 'claude-sonnet-4-5' })
  await page.goto('/price')
  await search(page, 'claude-sonnet-4-5')
  const input = page.getByRole('textbox', { name: 'Input price of claude-sonnet-4-5', exact: true })
  await expect(input).toHaveValue('3.00')
  await input.selectText()
  await input.pressSequentially('35')
  await expect(input).toHaveValue('35')
  await expect(page.getByText('1 unsaved price')).toBeVisible()
  await input.selectText()
  await input.pressSequentially('3.00')
  await expect(page.getByText('1 unsaved price')).toBeHidden()
})

test('on a phone a row opens a sheet with its three prices', async ({ page, root }) => {
  await makeChannel(root, { name: uniqueName('track'), models: 'gpt-4.1-mini' })
  await page.setViewportSize(phone)
  await page.goto('/price')
  await search(page, 'gpt-4.1-mini')
  const opener = page.getByRole('button', { name: 'Edit the price of gpt-4.1-mini', exact: true })
  await opener.click()
  const sheet = page.getByRole('complementary', { name: 'gpt-4.1-mini' })
  await expect(sheet.getByRole('textbox')).toHaveCount(3)
  await expect(sheet.getByLabel('Cached')).toHaveValue('0.10')
  await sheet.getByLabel('Output').fill('2')
  await expectAccessible(page)
  await expectNoSideways(page)
  await sheet.getByRole('button', { name: 'Keep in the draft' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(opener).toBeFocused()
  await expect(page.getByText('1 unsaved price')).toBeVisible()
})
