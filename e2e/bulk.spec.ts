import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { expectAccessible } from './support/axe.ts'
import { expectToast, phone, rowOf } from './support/lists.ts'
import { makeChannel, makeUser, removeChannels, uniqueName } from './support/make.ts'
import { type ProviderDouble, startProvider } from './support/provider-double.ts'
import { test } from './support/test.ts'

let provider: ProviderDouble
test.beforeAll(async () => {
  provider = await startProvider()
})
test.afterAll(() => provider.stop())

test.beforeEach(async ({ root, enterAs }) => {
  await removeChannels(root)
  await enterAs(root)
})

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const bar = (page: Page) => page.getByRole('toolbar')

test('channels are ticked one by one and as a range, given a priority, disabled and deleted', async ({
  page,
  root,
}) => {
  for (const name of ['one', 'two', 'three', 'four']) await makeChannel(root, { name, priority: 5 })
  await page.goto('/channel')
  await tick(page, 'four').click()
  await tick(page, 'two').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 selected')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Set priority' }).click()
  await page.getByRole('textbox', { name: 'Priority of 3 selected' }).fill('2.5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a whole number')).toBeVisible()
  await page.getByRole('textbox', { name: 'Priority of 3 selected' }).fill('90')
  await page.keyboard.press('Enter')
  await expectToast(page, 'success', '3 changed')
  await expect
    .poll(async () => (await root.call(channelsApi.list, {})).list.map(({ priority }) => priority).sort())
    .toEqual([5, 90, 90, 90])
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await bar(page).getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'success', '4 disabled')
  await tick(page, 'one').click()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'success', '1 deleted')
  await expect(page.locator('tbody tr')).toHaveCount(3)
})

test('everything over all pages is selected at once, and Escape clears it', async ({ page, root }) => {
  for (let at = 0; at < 12; at++) await makeChannel(root, { name: `many-${at}` })
  await page.goto('/channel')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(bar(page)).toContainText('10 selected')
  await bar(page).getByRole('button', { name: 'Select all 12' }).click()
  await expect(bar(page)).toContainText('12 selected')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
})

test('tokens, users and codes have the same ticks', async ({ page, root }) => {
  await root.call(tokensApi.create, { name: 'bulk-token' })
  await page.goto('/token')
  await tick(page, 'bulk-token').click()
  await bar(page).getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'success', '1 disabled')
  await expect(rowOf(page, 'bulk-token')).toContainText('Disabled')
  const { username } = await makeUser(root)
  await page.goto(`/user?q=${username}`)
  await tick(page, username).click()
  await bar(page).getByRole('button', { name: 'Disable' }).click()
  await expect(rowOf(page, username)).toContainText('Banned')
  await root.call(redemptionsApi.create, { name: 'bulk-code' })
  await page.goto('/redemption')
  await tick(page, 'bulk-code').first().click()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'success', '1 deleted')
})

test('a batch that is refused names what stands in its way and changes nothing', async ({ page, root }) => {
  const { username } = await makeUser(root)
  await page.goto('/user')
  await tick(page, username).click()
  await tick(page, 'root').click()
  await bar(page).getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'error', 'You cannot do this to the user root')
  await expect(rowOf(page, username)).toContainText('Activated')
})

test('on a phone ticks come with "Select", and nothing scrolls sideways', async ({ page, root }) => {
  await makeChannel(root, { name: 'small' })
  await page.setViewportSize(phone)
  await page.goto('/channel')
  await expect(tick(page, 'small')).toBeHidden()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Select' }).click()
  await tick(page, 'small').click()
  await expect(bar(page)).toContainText('1 selected')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
})

test('a failed test is red after a refresh and after a test of all, and what failed stands until it is dismissed', async ({
  page,
  root,
}) => {
  await makeChannel(root, { name: 'ill', key: 'bad-key', base_url: provider.url })
  await page.goto('/channel')
  await page.getByRole('button', { name: 'Test ill' }).click()
  await expectToast(page, 'error', /Channel ill failed its test.*this key is wrong/)
  await expect(rowOf(page, 'ill')).toContainText('Failed')
  await page.reload()
  await expect(
    rowOf(page, 'ill')
      .getByTitle(/this key is wrong/)
      .first(),
  ).toContainText('Failed')
  await page.getByRole('button', { name: 'Test all' }).click()
  await expectToast(page, 'warning', /1 failed/)
  const failed = page.getByRole('region', { name: '1 channel failed its test' })
  await expect(failed).toContainText(/ill.*this key is wrong/)
  await expectAccessible(page)
  await failed.getByRole('button', { name: 'Dismiss this notice' }).click()
  await expect(failed).toHaveCount(0)
  await tick(page, 'ill').click()
  await bar(page).getByRole('button', { name: 'Test', exact: true }).click()
  await expect(failed).toContainText(/ill.*this key is wrong/)
})

test('the list is narrowed by type, status, group and model, and a channel is copied', async ({ page, root }) => {
  await makeChannel(root, { name: 'alpha', type: 1, models: 'gpt-4o', group: 'default' })
  await makeChannel(root, { name: 'beta', type: 14, models: 'claude-3', group: 'default' })
  await page.goto('/channel')
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Anthropic Claude' })
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page).toHaveURL(/type=14/)
  await page.getByLabel('Model name').fill('gpt-4o')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await page.getByRole('button', { name: 'More for alpha' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(rowOf(page, 'alpha copy')).toContainText('Manually disabled')
  await page.getByRole('button', { name: 'More for beta' }).click()
  await page.getByRole('menuitem', { name: 'Open its log' }).click()
  await expect(page).toHaveURL(/\/log\?channel=\d+/)
})

test('ticks are not taken along to the tokens of another wallet', async ({ page, root }) => {
  await root.call(tokensApi.create, { name: 'stays-behind' })
  const { id, name } = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  await page.goto('/token')
  await tick(page, 'stays-behind').click()
  await expect(bar(page)).toContainText('1 selected')
  await page.getByRole('banner').getByRole('button', { name: 'Personal' }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect(bar(page)).toHaveCount(0)
  await root.call(teamsApi.remove, { id })
})
