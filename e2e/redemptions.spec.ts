import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import type { ApiClient } from './support/api-client.ts'
import {
  countLoads,
  expectToast,
  namesOf,
  refuseClipboard,
  rowOf,
  search,
  sortBy,
  watchClipboard,
} from './support/lists.ts'
import { uniqueName } from './support/make.ts'
import { test } from './support/test.ts'

async function makeCodes(root: ApiClient, count = 1, quota = 100_000) {
  const name = uniqueName('code')
  const keys = await root.call(redemptionsApi.create, { name, quota, count })
  return { name, keys, key: keys[0] ?? '' }
}

const found = async (root: ApiClient, name: string) =>
  (await root.call(redemptionsApi.search, { keyword: name })).list.find((code) => code.name === name)

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('codes are searched by id and name, and sorted [spec 2 redemption list search] [spec 2 redemption list columns]', async ({
  page,
  root,
}) => {
  const cheap = await makeCodes(root, 1, 1000)
  const dear = await makeCodes(root, 1, 9_000_000_000)
  const id = (await found(root, dear.name))?.id ?? 0
  await page.goto('/redemption')
  await search(page, dear.name)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await search(page, String(id))
  await expect(rowOf(page, dear.name)).toBeVisible()
  await search(page, '')
  await expect(rowOf(page, cheap.name)).toBeVisible()
  for (const header of ['ID', 'Name', 'Status', 'Created', 'Redeemed', 'Quota']) {
    await sortBy(page, header)
    await sortBy(page, header, 'descending')
  }
  await expect.poll(async () => (await namesOf(page))[0]).toBe(dear.name)
})

test('a code is copied; refused, it is put into the search box [spec 2 redemption list actions] [spec 8 clipboard failure]', async ({
  page,
  root,
  context,
}) => {
  const copied = await watchClipboard(page)
  const { name, key } = await makeCodes(root)
  await page.goto('/redemption')
  await page.getByRole('button', { name: `Copy ${name}` }).click()
  await expectToast(page, 'success', 'Copied')
  expect(await copied()).toBe(key)
  const other = await context.newPage()
  await other.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(root.user))
  await refuseClipboard(other)
  await other.goto('/redemption')
  await other.getByRole('button', { name: `Copy ${name}` }).click()
  await expectToast(other, 'warning', 'please copy it by hand')
  await expect(other.getByRole('search').getByRole('textbox')).toHaveValue(key)
})

test('disable, enable and delete change the row in place [spec 2 redemption list actions] [spec 4 redemption status] [spec 4 after delete]', async ({
  page,
  root,
}) => {
  const { name } = await makeCodes(root)
  const loads = countLoads(page, '/api/redemption/search')
  await page.goto(`/redemption?q=${name}`)
  await page.getByRole('button', { name: `Disable ${name}` }).click()
  await expectToast(page, 'success', 'Operation completed')
  await expect(rowOf(page, name)).toContainText('Disabled')
  await page.getByRole('button', { name: `Enable ${name}` }).click()
  await expect(rowOf(page, name)).toContainText('Unused')
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  const question = page.getByRole('alertdialog', { name: `Delete redemption code ${name}?` })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, name)).toBeHidden()
  expect(loads()).toBe(1)
})

test('a used code cannot be switched [spec 4 redemption status] [spec 2 redemption list actions]', async ({
  page,
  root,
}) => {
  const { name, key } = await makeCodes(root)
  await root.call(accountApi.topUp, { key })
  await page.goto(`/redemption?q=${name}`)
  await expect(rowOf(page, name)).toContainText('Used')
  await expect(page.getByRole('button', { name: `Enable ${name}` })).toBeDisabled()
})

test('created codes are downloaded as a file named after them [spec 2 redemption form] [spec 2 redemption download] [spec 9 redemption defaults] [spec 8 toast redemption created]', {
  tag: '@smoke',
}, async ({ page, root }) => {
  const name = uniqueName('sale')
  await page.goto('/redemption/add')
  await expect(page.getByLabel('Quota')).toHaveValue('100,000')
  await expect(page.getByLabel('Number of codes')).toHaveValue('1')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Number of codes').fill('3')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Create codes' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`${name}.txt`)
  const codes = (await readFile(await file.path(), 'utf8')).split('\n')
  const made = (await root.call(redemptionsApi.search, { keyword: name })).list
  expect(codes.sort()).toEqual(made.map(({ key }) => key).sort())
  expect(made).toHaveLength(3)
  await expectToast(page, 'success', 'Redemption code created')
})

test('a name and whole numbers are required [spec 5 redemption create]', async ({ page }) => {
  await page.goto('/redemption/add')
  await page.getByLabel('Number of codes').fill('101')
  await page.getByRole('button', { name: 'Create codes' }).click()
  await expect(page.getByText('name is required')).toBeVisible()
  await expect(page.getByText('At most 100 codes at once')).toBeVisible()
  await page.getByLabel('Quota').fill('0')
  await page.getByRole('button', { name: 'Create codes' }).click()
  await expect(page.getByText('quota must be greater than 0')).toBeVisible()
})

test('editing has no count [spec 2 redemption form] [spec 8 toast redemption updated]', async ({ page, root }) => {
  const { name } = await makeCodes(root)
  await page.goto(`/redemption?q=${name}`)
  await page.getByRole('link', { name: `Edit ${name}` }).click()
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await expect(page.getByLabel('Number of codes')).toBeHidden()
  await page.getByLabel('Quota').fill('250000')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Redemption code updated')
  expect(await found(root, name)).toMatchObject({ quota: 250_000 })
})

test('the pager shows one page at each side of the current one [spec 9 pagination siblings] [spec 9 page count]', async ({
  page,
  root,
}) => {
  const { name } = await makeCodes(root, 95)
  await page.goto(`/redemption?q=${name}&page=5`)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText('41–50 of 95')
  const shown = await pages.getByRole('button', { name: /^Page / }).allTextContents()
  expect(shown).toEqual(['1', '4', '5', '6', '10'])
  await pages.getByRole('button', { name: 'Next page' }).click()
  await expect(pages).toContainText('51–60 of 95')
})
