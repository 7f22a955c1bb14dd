import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { expectAccessible } from './support/axe.ts'
import { makeChannel, uniqueName } from './support/make.ts'
import { phone, test, toasts } from './support/site.ts'

test('a change is shown with its difference and undone from its panel', { tag: '@smoke' }, async ({
  page,
  root,
  enterAs,
}) => {
  const { name } = await makeChannel(root)
  const id = (await root.call(channelsApi.search, { keyword: name })).list[0]?.id ?? 0
  await root.call(channelsApi.update, { id, priority: 90, models: 'gpt-4o,gpt-4o-mini,gpt-4.1-mini,gpt-4.1' })
  await enterAs(root)
  await page.goto('/history')
  const row = page.getByRole('row', { name: `Changed channel ${name}` })
  await expect(row).toContainText('priority 0 → 90')
  await row.getByRole('button', { name: /^Changed channel/ }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const panel = page.getByRole('complementary', { name: 'Entry' })
  await expect(panel.getByRole('row', { name: 'priority' })).toContainText('90')
  await expect(panel.locator('pre')).toContainText('+ gpt-4.1')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Undo this change' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(toasts(page, 'success')).toHaveText('Undone')
  await expect(page.getByRole('row', { name: `Undid a change of channel ${name}` })).toBeVisible()
  await expect(row).toContainText('undone')
  expect((await root.call(channelsApi.get, { id })).priority).toBe(0)
})

test('by keyboard an undo leaves the focus on the entry it made, and the keys of the panel go on', async ({
  page,
  root,
  enterAs,
}) => {
  const { name } = await makeChannel(root)
  const id = (await root.call(channelsApi.search, { keyword: name })).list[0]?.id ?? 0
  await root.call(channelsApi.update, { id, priority: 70 })
  await enterAs(root)
  await page.goto(`/history?target=${name}`)
  const undid = page.getByRole('heading', { name: `Undid a change of channel ${name}` })
  const undo = async (label: string) => {
    const button = page.getByRole('button', { name: label, exact: true }).first()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
  await undo('Undo')
  await expect(undid).toBeFocused()
  const { list } = await root.call(channelsApi.search, { keyword: name })
  expect(list[0]?.priority).toBe(0)
  await undo('Undo this change')
  await expect(undid).toBeFocused()
  await expect(page.getByRole('button', { name: /^Undid a change/ })).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Entry' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Undid a change/ }).first()).toBeFocused()
})

test('one person is chosen from those who made entries, and what is shown is taken along', async ({
  page,
  root,
  enterAs,
}) => {
  const { name } = await makeChannel(root, { name: uniqueName('exported') })
  await enterAs(root)
  await page.goto(`/history?target=${name}`)
  await page.getByLabel('Who').selectOption('root')
  await expect(page).toHaveURL(/actor=root/)
  await expect(page.getByRole('button', { name: `Created channel ${name}` })).toBeVisible()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^JSONL/ }).click()
  const file = await (await saved).path()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).name)).toEqual([name])
})

test('the list is filtered, and the filter stands in the address', async ({ page, root, enterAs }) => {
  const { name } = await makeChannel(root)
  await enterAs(root)
  await page.goto('/history')
  await page.getByLabel('Search by name or ID').fill(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`target=${name}`))
  await expect(page.getByRole('button', { name: /^Created channel/ })).toHaveCount(1)
  await page.getByLabel('Search by name or ID').fill('nothing is called this')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No entry matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^Created channel ${name}`) })).toBeVisible()
  await page.setViewportSize(phone)
  await expectAccessible(page)
  await page.getByRole('button', { name: new RegExp(`^Created channel ${name}`) }).click()
  await expect(page.getByRole('complementary', { name: 'Entry' })).toBeVisible()
  await expectAccessible(page)
})

test('the way back from an entry leads to the list, and from there to the page before', async ({
  page,
  root,
  enterAs,
}) => {
  const { name } = await makeChannel(root)
  const id = (await root.call(channelsApi.search, { keyword: name })).list[0]?.id ?? 0
  await root.call(channelsApi.update, { id, priority: 90 })
  await enterAs(root)
  await page.goto('/about')
  await page.goto(`/history?target=${name}`)
  const panel = page.getByRole('complementary', { name: 'Entry' })
  await page.getByRole('button', { name: /^Changed channel/ }).click()
  await expect(panel).toBeVisible()
  await panel.getByRole('button', { name: 'The one below' }).click()
  await expect(panel.getByRole('heading')).toHaveText(`Created channel ${name}`)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/about$/)
})
