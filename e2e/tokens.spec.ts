import { expect } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import {
  countLoads,
  expectToast,
  namesOf,
  phone,
  refuseClipboard,
  rowOf,
  search,
  sortBy,
  watchClipboard,
  watchWindows,
} from './support/lists.ts'
import { makeToken, makeUser } from './support/make.ts'
import { test as base } from './support/test.ts'

/** Each test has a user of its own, already in the browser. */
const test = base.extend<{ owner: ApiClient }>({
  owner: async ({ root, server, enterAs }, use) => {
    const { username, password } = await makeUser(root)
    const owner = await logIn(server.url, username, password)
    await enterAs(owner)
    await use(owner)
  },
})

const keyOf = async (owner: ApiClient, name: string): Promise<string> =>
  (await owner.call(tokensApi.search, { keyword: name })).list[0]?.key ?? ''

test('tokens are searched by name; an empty search shows them all [spec 2 token list search]', async ({
  page,
  owner,
}) => {
  await makeToken(owner, { name: 'alpha' })
  await makeToken(owner, { name: 'beta' })
  await page.goto('/token')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await search(page, '  alp  ')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page).toHaveURL(/q=alp$/)
  await search(page, 'nothing-like-it')
  await expect(page.getByText('Nothing matches “nothing-like-it”.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
})

test('the search box follows the address, and Enter asks again [spec 2 token list search]', async ({ page, owner }) => {
  await makeToken(owner, { name: 'alpha' })
  await page.goto('/token?q=alpha')
  const box = page.getByRole('search').getByRole('textbox')
  await expect(box).toHaveValue('alpha')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tokens' }).click()
  await expect(box).toHaveValue('')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await makeToken(owner, { name: 'beta' })
  await box.press('Enter')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await search(page, 'gamma')
  await expect(page.getByText('Nothing matches “gamma”.')).toBeVisible()
  await makeToken(owner, { name: 'gamma' })
  await box.press('Enter')
  await expect(page.locator('tbody tr')).toHaveCount(1)
})

test('a header sorts the page and reverses on the second click [spec 2 token list columns]', async ({
  page,
  owner,
}) => {
  for (const [name, remain_quota] of [
    ['b', 30],
    ['c', 10],
    ['a', 20],
  ] as const)
    await makeToken(owner, { name, remain_quota })
  await page.goto('/token')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await sortBy(page, 'Name')
  await expect.poll(() => namesOf(page)).toEqual(['a', 'b', 'c'])
  await sortBy(page, 'Name', 'descending')
  await expect.poll(() => namesOf(page)).toEqual(['c', 'b', 'a'])
  await sortBy(page, 'Remaining')
  await expect.poll(() => namesOf(page)).toEqual(['c', 'a', 'b'])
  await page.reload()
  await expect(page.locator('thead th[aria-sort]')).toHaveText('Remaining')
})

test('the dropdown sorts all pages and goes back to the first [spec 2 token list order] [spec 9 page size]', async ({
  page,
  owner,
}) => {
  for (let made = 1; made <= 11; made += 1) await makeToken(owner, { name: `t${made}`, remain_quota: 12 - made })
  await page.goto('/token?page=2')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By remaining quota')
  await expect(page).toHaveURL(/order=remain_quota/)
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.locator('tbody tr')).toHaveCount(10)
  await expect.poll(async () => (await namesOf(page))[0]).toBe('t1')
})

test('an exact multiple of the page size has one page more, which says it is empty [spec 9 page count]', async ({
  page,
  owner,
}) => {
  for (let made = 1; made <= 10; made += 1) await makeToken(owner)
  await page.goto('/token')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect(page.getByText('This page has no rows.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(10)
})

test('the copy button copies the key, its menu a link for each client [spec 2 token list copy]', {
  tag: '@smoke',
}, async ({ page, owner, server }) => {
  const copied = await watchClipboard(page)
  const { name } = await makeToken(owner, { name: 'copy-me' })
  const key = `sk-${await keyOf(owner, name)}`
  await page.goto('/token')
  await expect(rowOf(page, name)).toContainText(`sk-…${key.slice(-4)}`)
  await page.getByRole('button', { name: 'Copy copy-me', exact: true }).click()
  await expectToast(page, 'success', 'Copied')
  expect(await copied()).toBe(key)
  const address = encodeURIComponent(server.url)
  const links = {
    'ChatGPT Next Web': `/#/?settings={"key":"${key}","url":"${server.url}"}`,
    BotGem: `ama://set-api-key?server=${address}&key=${key}`,
    OpenCat: `opencat://team/join?domain=${address}&token=${key}`,
  }
  for (const [client, link] of Object.entries(links)) {
    await page.getByRole('button', { name: 'Copy copy-me: more choices' }).click()
    await page.getByRole('menuitem', { name: `Copy for ${client}` }).click()
    await expect.poll(copied).toBe(link)
  }
})

test('the chat button opens a client with the key, a site only where the operator has set one [spec 2 token list chat]', async ({
  page,
  owner,
  root,
}) => {
  const opened = await watchWindows(page)
  const { name } = await makeToken(owner, { name: 'chat-me' })
  const key = `sk-${await keyOf(owner, name)}`
  await page.goto('/token')
  await page.getByRole('button', { name: 'Chat chat-me', exact: true }).click()
  expect(await opened()).toMatch(/^ama:\/\//)
  await root.call(optionsApi.update, { key: 'ChatLink', value: 'https://chat.example' })
  await page.reload()
  await page.getByRole('button', { name: 'Chat chat-me', exact: true }).click()
  expect(await opened()).toContain(`https://chat.example/#/?settings={"key":"${key}"`)
  await page.getByRole('button', { name: 'Chat chat-me: more choices' }).click()
  await page.getByRole('menuitem', { name: 'Chat in OpenCat' }).click()
  expect(await opened()).toMatch(/^opencat:\/\/team\/join/)
  await root.call(optionsApi.update, { key: 'ChatLink', value: '' })
})

test('what the browser refuses to copy is put into the search box [spec 8 clipboard failure]', async ({
  page,
  owner,
}) => {
  await refuseClipboard(page)
  const { name } = await makeToken(owner)
  const key = await keyOf(owner, name)
  await page.goto('/token')
  await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click()
  await expectToast(page, 'warning', 'please copy it by hand')
  await expect(page.getByRole('search').getByRole('textbox')).toHaveValue(`sk-${key}`)
})

test('disable and enable change the row in place [spec 2 token list actions] [spec 4 token status] [spec 4 after a status change]', async ({
  page,
  owner,
}) => {
  const loads = countLoads(page, '/api/token/')
  const { name } = await makeToken(owner)
  await page.goto('/token')
  await page.getByRole('button', { name: `Disable ${name}` }).click()
  await expectToast(page, 'success', 'Operation completed')
  await expect(rowOf(page, name)).toContainText('Disabled')
  await page.getByRole('button', { name: `Enable ${name}` }).click()
  await expect(rowOf(page, name)).toContainText('Enabled')
  expect(loads()).toBe(1)
})

test('a token that cannot be enabled says why [spec 4 token status] [spec 8 server message]', async ({
  page,
  owner,
}) => {
  const { name } = await makeToken(owner, { remain_quota: 0 })
  const [token] = (await owner.call(tokensApi.list, {})).list
  await owner.call(tokensApi.update, { id: token?.id ?? 0, status: 2, status_only: true })
  await page.goto('/token')
  await page.getByRole('button', { name: `Enable ${name}` }).click()
  await expectToast(page, 'error', /used up|no quota/)
})

test('delete asks with the name and takes the row out without a reload [spec 2 token list actions] [spec 4 after delete]', async ({
  page,
  owner,
}) => {
  const loads = countLoads(page, '/api/token/')
  const { name } = await makeToken(owner, { name: 'goes' })
  await makeToken(owner, { name: 'stays' })
  await page.goto('/token')
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete token goes?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'success', 'Operation completed')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.getByText('1 in total')).toBeVisible()
  expect(loads()).toBe(1)
})

test('an empty list says what to do; a phone shows two-line rows with one menu [spec 2 token list actions]', async ({
  page,
  owner,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/token')
  await expect(page.getByText('There is no token yet.')).toBeVisible()
  const { name } = await makeToken(owner)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')).toContainText('$1.00 of $1.00')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Disabled')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

for (const theme of themes) {
  test(`the list has no fault axe can find, ${theme}`, async ({ page, owner }) => {
    await makeToken(owner, { name: 'one' })
    await makeToken(owner, { name: 'endless', unlimited_quota: true })
    await choose(page, { theme, language: theme === 'dark' ? 'zh' : 'en' })
    await page.goto('/token')
    await expect(rowOf(page, 'endless')).toBeVisible()
    await expectAccessible(page)
    await page.locator('tbody button[aria-haspopup=menu]').first().click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize(phone)
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await expectAccessible(page)
  })
}

test('connect gives ready texts with address and key, the key covered on the screen', async ({
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { name } = await makeToken(owner, { name: 'to-connect' })
  const key = `sk-${await keyOf(owner, name)}`
  await page.goto('/token')
  await page.getByRole('button', { name: 'Connect to-connect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect with to-connect' })
  await expect(dialog.getByText(/ANTHROPIC_BASE_URL/)).toBeVisible()
  await expect(dialog.getByText(key)).toHaveCount(0)
  await dialog.getByRole('button', { name: /^Copy Claude Code: Put this/ }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(key)
  await page.setViewportSize(phone)
  const code = dialog.getByRole('region', { name: /Put this/ })
  const copy = dialog.getByRole('button', { name: /^Copy Claude Code: Put this/ })
  const [text, button] = [await code.boundingBox(), await copy.boundingBox()]
  expect(button?.x, 'no text runs under the button').toBeGreaterThanOrEqual((text?.x ?? 0) + (text?.width ?? 0))
  await dialog.getByRole('tab', { name: 'Codex CLI' }).click()
  await expect(dialog.getByText(/wire_api = "responses"/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Show key' }).click()
  await expect(dialog.getByText(key).first()).toBeVisible()
})

test('a budget and what is left are said with their unit where currency is off', async ({ page, root, owner }) => {
  const { name } = await makeToken(owner, { budget: 2000, budget_period: 'month', remain_quota: 300 })
  await root.call(optionsApi.update, { key: 'DisplayInCurrencyEnabled', value: 'false' })
  try {
    await page.goto('/token')
    await expect(rowOf(page, name)).toContainText('of 300 quota')
    await expect(rowOf(page, name)).toContainText('0 %0 of 2000 quota')
    await page.setViewportSize(phone)
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('0 of 2000 quota budget')
  } finally {
    await root.call(optionsApi.update, { key: 'DisplayInCurrencyEnabled', value: 'true' })
  }
})
