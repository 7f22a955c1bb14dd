import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import type { ApiClient } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import { countLoads, expectToast, namesOf, phone, rowOf, search, sortBy } from './support/lists.ts'
import { makeChannel, removeChannels } from './support/make.ts'
import { type ProviderDouble, startProvider } from './support/provider-double.ts'
import { test } from './support/test.ts'

let provider: ProviderDouble

const found = async (root: ApiClient, name: string) =>
  (await root.call(channelsApi.list, { pagesize: 100 })).list.find((channel) => channel.name === name)

test.beforeAll(async () => {
  provider = await startProvider()
})
test.afterAll(() => provider.stop())

test.beforeEach(async ({ root, enterAs }) => {
  await removeChannels(root)
  await enterAs(root)
})

test('the list counts and searches by id, name and base URL [spec 2 channel list search]', async ({ page, root }) => {
  await makeChannel(root, { name: 'openai-eu' })
  await makeChannel(root, { name: 'proxy', base_url: 'https://relay.example/' })
  const { id } = (await found(root, 'openai-eu')) ?? { id: 0 }
  await page.goto('/channel')
  await expect(page.getByText('2 in total, 2 enabled')).toBeVisible()
  for (const [text, name] of [
    ['-eu', 'openai-eu'],
    ['relay.example', 'proxy'],
    [String(id), 'openai-eu'],
  ] as const) {
    await search(page, text)
    await expect(page.locator('tbody tr')).toHaveCount(1)
    await expect.poll(() => namesOf(page)).toEqual([name])
  }
})

test('headers sort and reverse on the second click [spec 2 channel list columns]', async ({ page, root }) => {
  await makeChannel(root, { name: 'b', type: 14, priority: 5, group: 'vip' })
  await makeChannel(root, { name: 'a', type: 1, priority: 9, group: 'default' })
  await page.goto('/channel')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  for (const header of ['ID', 'Name', 'Group', 'Type', 'Status', 'Response', 'Balance', 'Priority']) {
    await sortBy(page, header)
    await sortBy(page, header, 'descending')
  }
  await sortBy(page, 'Name')
  await expect.poll(() => namesOf(page)).toEqual(['a', 'b'])
  await sortBy(page, 'Priority')
  await expect.poll(() => namesOf(page)).toEqual(['b', 'a'])
  await sortBy(page, 'Type')
  await expect.poll(() => namesOf(page)).toEqual(['b', 'a'])
})

test('the notice says what tests and balances mean, and stays away once dismissed [spec 2 channel list notice] [spec 4 prompt flags]', async ({
  page,
  root,
}) => {
  await makeChannel(root)
  await page.goto('/channel')
  const notice = page.getByRole('note')
  await expect(notice).toContainText(
    'OpenAI channels report a balance of 0. Tests cover chat models only: gpt-3.5-turbo',
  )
  await page.getByRole('button', { name: 'Dismiss this notice' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(notice).toBeHidden()
})

test('a test shows its time in toast and badge, asking for gpt-3.5-turbo first [spec 2 channel list actions] [spec 8 toast channel tested]', {
  tag: '@smoke',
}, async ({ page, root }) => {
  await makeChannel(root, { name: 'works', type: 8, base_url: provider.url, models: 'gpt-4o,gpt-3.5-turbo' })
  await makeChannel(root, { name: 'fails', type: 8, base_url: provider.url, key: 'bad-key', models: 'gpt-4o' })
  await page.goto('/channel')
  await expect(rowOf(page, 'works')).toContainText('Untested')
  await page.getByRole('button', { name: 'Test works' }).click()
  await expectToast(page, 'success', /Channel works tested, took \d+\.\d\d s/)
  await expect(rowOf(page, 'works')).toContainText(/\d\.\d\d s/)
  expect(provider.asked.at(-1)).toBe('gpt-3.5-turbo')
  await page.getByRole('button', { name: 'Test fails' }).click()
  await expectToast(page, 'error', 'this key is wrong')
})

test('pressing a balance asks for it anew; types that report none show a dash [spec 8 toast balance updated] [spec 9 balance by type]', async ({
  page,
  root,
}) => {
  await makeChannel(root, { name: 'dollars', type: 8, base_url: provider.url })
  await makeChannel(root, { name: 'silent', type: 14 })
  await page.goto('/channel')
  await expect(rowOf(page, 'silent').locator('[data-column=balance]')).toHaveText('–')
  await page.getByRole('button', { name: 'Update the balance of dollars: $0.00' }).click()
  await expectToast(page, 'success', 'Balance of dollars updated')
  await expect(rowOf(page, 'dollars')).toContainText('$12.50')
})

test('disable, enable and delete change the row and the counts in place [spec 2 channel list actions] [spec 4 channel status] [spec 4 after delete]', async ({
  page,
  root,
}) => {
  const loads = countLoads(page, '/api/channel/')
  await makeChannel(root, { name: 'one' })
  await makeChannel(root, { name: 'two' })
  await page.goto('/channel')
  await page.getByRole('button', { name: 'Disable one' }).click()
  await expectToast(page, 'success', 'Operation completed')
  await expect(rowOf(page, 'one')).toContainText('Manually disabled')
  await expect(page.getByText('2 in total, 1 enabled')).toBeVisible()
  await page.getByRole('button', { name: 'Enable one' }).click()
  await expect(rowOf(page, 'one')).toContainText('Enabled')
  await page.getByRole('button', { name: 'Delete two' }).click()
  await page.getByRole('alertdialog', { name: 'Delete channel two?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 in total, 1 enabled')).toBeVisible()
  expect(loads()).toBe(1)
})

test('priority and weight are edited in the list; a blank is ignored [spec 2 channel list inline] [spec 5 channel blank numbers] [spec 9 minimums]', {
  tag: '@smoke',
}, async ({ page, root }) => {
  await makeChannel(root, { name: 'routed', priority: 3 })
  await page.goto('/channel')
  const priority = page.getByLabel('Priority of routed')
  await priority.fill('42')
  await priority.press('Enter')
  await expect.poll(async () => (await found(root, 'routed'))?.priority).toBe(42)
  const weight = page.getByLabel('Weight of routed')
  await weight.fill('7')
  await weight.blur()
  await expect.poll(async () => (await found(root, 'routed'))?.weight).toBe(7)
  await priority.fill('')
  await priority.press('Enter')
  await expect(priority).toHaveValue('42')
  await weight.fill('-1')
  await weight.press('Enter')
  await expect(weight).toHaveAttribute('aria-invalid', 'true')
  await weight.press('Escape')
  await expect(weight).toHaveValue('7')
  await priority.fill('5')
  await priority.press('Escape')
  await expect(priority).toHaveValue('42')
  expect(await found(root, 'routed')).toMatchObject({ priority: 42, weight: 7 })
})

test('all channels, or the disabled ones, are tested with progress [spec 2 channel list foot]', async ({
  page,
  root,
}) => {
  await makeChannel(root, { name: 'good', type: 8, base_url: provider.url })
  await makeChannel(root, { name: 'wrong', type: 8, base_url: provider.url, key: 'bad-key' })
  await page.goto('/channel')
  await page.getByRole('button', { name: 'Test all' }).click()
  await expectToast(page, 'success', 'Test started')
  await expectToast(page, 'warning', '2 channels tested, 1 failed')
  await expect(rowOf(page, 'good')).toContainText(/\d\.\d\d s/)
  await page.getByRole('button', { name: 'Disable wrong' }).click()
  await expect(rowOf(page, 'wrong')).toContainText('Manually disabled')
  await page.getByRole('button', { name: 'Test disabled' }).click()
  await expectToast(page, 'warning', '1 channel tested, 1 failed')
})

test('a second run that ends like the first is reported too [spec 2 channel list foot]', async ({ page, root }) => {
  await makeChannel(root, { name: 'good', type: 8, base_url: provider.url })
  const over = { running: false, total: 1, done: 1, failed: 0 }
  await page.route('**/api/channel/test_progress', (route) =>
    route.fulfill({ json: { success: true, message: '', data: over } }),
  )
  await page.goto('/channel')
  const toast = page.getByText('1 channel tested, 0 failed')
  for (const _ of ['first', 'second']) {
    await page.getByRole('button', { name: 'Test all' }).click()
    await expect(toast).toHaveCount(1)
    await expect(toast).toHaveCount(0)
  }
})

test('deleting the disabled ones asks how many first [spec 2 channel list foot] [spec 8 toast disabled channels deleted]', async ({
  page,
  root,
}) => {
  for (const name of ['off-1', 'off-2', 'on']) await makeChannel(root, { name })
  for (const name of ['off-1', 'off-2'])
    await root.call(channelsApi.update, { id: (await found(root, name))?.id, status: 2 })
  await page.goto('/channel?q=on')
  const asked = (count: number) => page.getByRole('alertdialog', { name: `Delete ${count} disabled channels?` })
  await page.getByRole('button', { name: 'Disable on' }).click()
  await page.getByRole('button', { name: 'Delete disabled' }).click()
  await asked(3).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Enable on' }).click()
  await expect(rowOf(page, 'on')).toContainText('Enabled')
  await page.getByRole('button', { name: 'Delete disabled' }).click()
  await asked(2).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'success', '2 disabled channels deleted')
  expect(await found(root, 'on')).toBeDefined()
  expect(await found(root, 'off-1')).toBeUndefined()
})

test('groups and types have their colours; a phone folds rows and foot [spec 9 group colours] [spec 2 channel list columns]', async ({
  page,
  root,
}) => {
  await makeChannel(root, { name: 'coloured', type: 14, group: 'default,vip,svip' })
  await page.goto('/channel')
  const badge = (group: string) =>
    rowOf(page, 'coloured')
      .locator('.mantine-Badge-root')
      .filter({ hasText: new RegExp(`^${group}$`) })
  await expect(badge('vip')).toHaveCSS('background-color', await colour(page, 'yellow'))
  await expect(badge('svip')).toHaveCSS('background-color', await colour(page, 'red'))
  await page.setViewportSize(phone)
  const row = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await expect(row).toContainText('Anthropic Claude')
  await expect(row).toContainText('Priority 0')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Test disabled' })).toBeVisible()
})

const colour = (page: Page, hue: string) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('div'))
    probe.style.background = `var(--mantine-color-${name}-light)`
    const shown = getComputedStyle(probe).backgroundColor
    probe.remove()
    return shown
  }, hue)

for (const theme of themes) {
  test(`the list has no fault axe can find, ${theme}`, async ({ page, root }) => {
    await makeChannel(root, { name: 'first', group: 'default,vip' })
    await makeChannel(root, { name: 'second', type: 3, base_url: 'https://x.example' })
    await choose(page, { theme, language: theme === 'dark' ? 'zh' : 'en' })
    await page.goto('/channel')
    await expect(rowOf(page, 'second')).toBeVisible()
    await expectAccessible(page)
    await rowOf(page, 'second').getByRole('button').last().click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize(phone)
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await expectAccessible(page)
  })
}
