import { expect } from '@playwright/test'
import { pricesApi } from '#shared/api/prices.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { expectAccessible } from './support/axe.ts'
import { expectToast, phone, rowOf } from './support/lists.ts'
import { makeChannel, makeToken, removeChannels, uniqueName } from './support/make.ts'
import { test } from './support/test.ts'

test.beforeEach(async ({ root, enterAs }) => {
  await removeChannels(root)
  await enterAs(root)
})

test('the sidebar counts what waits, and the name of the page stays its own', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4o-mini,nobody-prices-this' })
  await page.goto('/about')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Prices', exact: true })
  await expect(link).toHaveAccessibleDescription('1 needs attention')
  await expectAccessible(page)
})

test('a deleted channel comes back from the toast', async ({ page, root }) => {
  const { name } = await makeChannel(root)
  await page.goto('/channel')
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, name)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, name)).toBeVisible()
})

test('ticked channels are tested together, and those that fail are named', async ({ page, root }) => {
  const { name } = await makeChannel(root, { base_url: 'http://127.0.0.1:9' })
  await page.goto('/channel')
  await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Test' }).click()
  const failed = page.getByRole('region', { name: '1 channel failed its test' })
  await expect(failed.getByRole('link', { name })).toBeVisible()
})

test('a route is explained for a token that is limited to other models', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4.1' })
  const { name } = await makeToken(root, { name: uniqueName('narrow'), models: 'gpt-4o-mini' })
  const { list } = await root.call(tokensApi.search, { keyword: name })
  await page.goto(`/routing?model=gpt-4.1&who=token:${list[0]?.id}`)
  await expect(page.getByText('No channel is left for gpt-4.1.')).toBeVisible()
  await expect(page.getByText('other models only')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Who asks' })).toHaveValue(`token ${name}`)
})

test('a draft with a price stands in the address and is applied as one step', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4.1' })
  await page.goto('/routing/simulate')
  await page.getByRole('button', { name: 'Add a price' }).click()
  await page.getByRole('combobox', { name: 'Model' }).fill('gpt-4.1')
  await page.getByRole('option', { name: 'gpt-4.1', exact: true }).click()
  await page.getByRole('textbox', { name: 'Input price of gpt-4.1' }).fill('2.75')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/draft=/)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Input price of gpt-4.1' })).toHaveValue('2.75')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'success', 'The draft is in force')
  const price = async () =>
    (await root.call(pricesApi.list, { keyword: 'gpt-4.1' })).list.find(({ model }) => model === 'gpt-4.1')?.input_usd
  expect(await price()).toBe(2.75)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(price).toBe(2)
})

test('prices are synced from a file: looked at, chosen, applied and taken back', async ({ page, root }) => {
  const data = { 'synced-one': { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 } }
  await page.goto('/price/sync')
  await page.getByText('A file').click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'File', exact: true }).click(),
  ])
  await chooser.setFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(data)) })
  await page.getByRole('button', { name: 'Show differences' }).click()
  await expect(rowOf(page, 'synced-one')).toContainText('New')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply 1 price' }).click()
  await expectToast(page, 'success', '1 price applied')
  const listed = async () => (await root.call(pricesApi.list, { keyword: 'synced-one' })).total
  expect(await listed()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(listed).toBe(0)
})

test('the first steps come back from the account menu', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('button', { name: 'root' }).click()
  await page.getByRole('menuitem', { name: 'First steps' }).click()
  await expect(page.getByText(/of 5 steps done/)).toBeVisible()
  await page.getByRole('button', { name: 'Hide this list' }).click()
  await expect(page.getByText(/of 5 steps done/)).toHaveCount(0)
})

test('models are narrowed by vendor, and the palette leads to a setting', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4.1,claude-sonnet-4-5' })
  await page.goto('/model')
  await page.getByRole('combobox', { name: 'Vendor' }).selectOption('Anthropic')
  await expect(page.getByRole('button', { name: 'Show gpt-4.1' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show claude-sonnet-4-5' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('SMTP')
  await page.getByRole('option', { name: /^SMTP/ }).click()
  await expect(page).toHaveURL(/tab=system#mail/)
})

test('the new screens do not scroll sideways on a phone', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4.1,claude-sonnet-4-5' })
  await page.setViewportSize(phone)
  for (const path of [
    '/routing?model=gpt-4.1',
    '/routing/simulate',
    '/price',
    '/price/sync',
    '/model?open=gpt-4.1',
    '/history',
    '/playground?model=gpt-4.1&model=claude-sonnet-4-5',
  ]) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(over, path).toBeLessThanOrEqual(0)
  }
})
