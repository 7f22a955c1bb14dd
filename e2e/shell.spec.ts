import { expect, type Page } from '@playwright/test'
import { usersApi } from '#shared/api/users.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose } from './support/axe.ts'
import { makeToken, makeUser, uniqueName, userPassword } from './support/make.ts'
import { desktop, phone, stored, test, toasts } from './support/site.ts'

/** Items by group. A page that is added to the navigation is added here. */
const use = ['Playground', 'Models', 'Tokens', 'Log', 'Top up', 'Teams']
const operate = ['Channels', 'Routing', 'Prices', 'Users', 'Redemption', 'History']
const more = ['Settings', 'About']
const visitors = ['Home', ...use, ...more]
const members = ['Overview', ...use, ...more]
const admins = ['Overview', ...use, ...operate, ...more]

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const current = (page: Page) => bar(page).locator('[aria-current="page"]')

async function makeAdmin(root: ApiClient, url: string): Promise<ApiClient> {
  const { username, password } = await makeUser(root)
  await root.call(usersApi.manage, { username, action: 'promote' })
  return logIn(url, username, password)
}

test('a visitor and an ordinary user see no admin items [spec 2 navigation items]', async ({
  page,
  member,
  enterAs,
}) => {
  await page.goto('/')
  await expect(bar(page).getByRole('link')).toHaveText(visitors)
  await enterAs(member)
  await page.goto('/')
  await expect(bar(page).getByRole('link')).toHaveText(members)
})

test('admins see theirs, the super admin the same; chat comes with its link [spec 2 navigation items] [spec 9 role thresholds]', async ({
  page,
  root,
  server,
  enterAs,
  setOptions,
  browser,
}) => {
  await enterAs(root)
  await page.goto('/about')
  await expect(bar(page).getByRole('link')).toHaveText(admins)
  await expect(current(page)).toHaveText('About')
  await setOptions({ ChatLink: 'https://chat.example' })
  const other = await browser.newPage({ baseURL: server.url })
  await enterAs(await makeAdmin(root, server.url), other)
  await other.goto('/about')
  await expect(bar(other).getByRole('link')).toHaveText([...admins, 'Chat'])
  await other.close()
})

test('the own profile belongs to the settings, not to the users', async ({ page, member, enterAs }) => {
  await enterAs(member)
  await page.goto('/user/edit')
  await expect(current(page)).toHaveText('Settings')
})

test('on a phone the bar folds into a menu [spec 2 navigation mobile]', { tag: '@smoke' }, async ({
  page,
  member,
  enterAs,
}) => {
  await page.setViewportSize(phone)
  await enterAs(member)
  await page.goto('/token')
  await expect(bar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(bar(page).getByRole('link')).toHaveText(members)
  await expect(current(page)).toHaveText('Tokens')
  await bar(page).getByRole('link', { name: 'Top up' }).click()
  await expect(page).toHaveURL(/\/topup$/)
  await expect(bar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await bar(page)
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a long name of the system is cut, and leaves the menu in reach', async ({ page, setOptions }) => {
  await setOptions({ SystemName: 'A name that is much too long for the bar of a phone' })
  await page.setViewportSize(phone)
  await page.goto('/about')
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

test('the username is cut at 15 and its menu signs out [spec 2 navigation user] [spec 9 username cut] [spec 4 logout] [spec 8 toast logged out]', async ({
  page,
  root,
  server,
  enterAs,
  context,
}) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toHaveAttribute('href', '/login')
  const { username, password } = await makeUser(root)
  const client = await logIn(server.url, username, password)
  // Only login services give names as long as this one.
  const long = { username: 'abcdefghijklmnopqrst' }
  await page.route('**/api/user/self', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...long } } })
  })
  await enterAs({ ...client, user: { ...client.user, ...long } })
  await page.goto('/token')
  const account = page.getByRole('button', { name: 'abcdefghijklmno…' })
  await expect(account).toHaveAttribute('title', 'abcdefghijklmnopqrst')
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(toasts(page, 'success')).toHaveText('Logged out')
  await expect.poll(() => stored(page, 'user')).toBeNull()
  expect((await context.request.get('/api/user/self')).status()).toBe(401)
})

test('without a footer of its own the site names itself and its licence [spec 2 footer]', async ({ page }) => {
  await page.goto('/about')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/^Switchyard \d+\.\d+\.\d+\S* · released under the MIT licence$/)
  await expect(footer.getByRole('link')).toHaveAttribute('href', 'https://opensource.org/license/mit')
})

test('the configured footer is shown, name and logo come from the status, and all are kept [spec 2 footer] [spec 4 app start]', async ({
  page,
  setOptions,
}) => {
  const logo = '/favicon.svg'
  const html = '<p>Run by <a href="https://ops.example">the ops team</a></p>'
  await setOptions({ Footer: html, SystemName: 'Relay of Elm Street', Logo: logo })
  await page.goto('/about')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'the ops team' })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Relay of Elm Street')).toBeVisible()
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute('src', logo)
  await expect(page).toHaveTitle('About · Relay of Elm Street')
  await expect.poll(() => stored(page, 'footer_html')).toBe(html)
  await expect.poll(() => stored(page, 'system_name')).toBe('Relay of Elm Street')
  await expect.poll(() => stored(page, 'logo')).toBe(logo)
  await expect.poll(() => stored(page, 'quota_per_unit')).toBe('500000')
  await expect.poll(() => stored(page, 'display_in_currency')).toBe('true')
  expect(JSON.parse((await stored(page, 'status')) ?? '')).toMatchObject({ system_name: 'Relay of Elm Street' })
})

test('the stored user and status stand before the server answers [spec 4 app start]', async ({
  page,
  member,
  enterAs,
}) => {
  await enterAs(member)
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await page.evaluate(() => {
    const status = JSON.parse(localStorage.getItem('status') ?? '{}')
    localStorage.setItem('status', JSON.stringify({ ...status, system_name: 'Name from last time' }))
  })
  await page.route('**/api/status', () => undefined)
  await page.reload()
  await expect(page.getByRole('banner').getByText('Name from last time')).toBeVisible()
  await expect(page.getByRole('button', { name: member.user.username })).toBeVisible()
})

test('light, dark and system are chosen in the bar and kept; the site has a default', async ({ page, setOptions }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const scheme = page.locator('html')
  const pick = async (name: string) => {
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.goto('/about')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await pick('Dark')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect.poll(() => stored(page, 'theme')).toBe('dark')
  await page.getByRole('button', { name: 'Theme' }).click()
  await expect(page.getByRole('menuitem', { name: 'Dark' })).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await pick('System')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await pick('Light')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await setOptions({ Theme: 'dark' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('the skip link and the bar are reached by keyboard, and focus is seen', async ({ page }) => {
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.getByRole('link', { name: 'Tokens' }).focus()
  await page.keyboard.press('Shift+Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return `${outlineStyle} ${outlineWidth}`
  })
  expect(outline).toBe('solid 2px')
})

test('a menu and the sheet of a phone hold the focus', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Language' })).toBeFocused()
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(bar(page).locator(':focus')).toHaveCount(1)
  for (let step = 0; step < visitors.length + 3; step += 1) {
    await page.keyboard.press('Tab')
    await expect(bar(page).locator(':focus')).toHaveCount(1)
  }
  await page.setViewportSize(desktop)
  await expect(bar(page).getByRole('link')).toHaveText(visitors)
})

test('a session that ends in one tab ends in the others, and they go on with the next', async ({
  page,
  member,
  enterAs,
  context,
}) => {
  await enterAs(member)
  await page.goto('/topup')
  await expect(page.getByRole('heading', { name: 'Top up' })).toBeVisible()
  const second = await context.newPage()
  await second.goto('/token')
  await second.getByRole('button', { name: member.user.username }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(second).toHaveURL(/\/login$/)
  await expect(page).toHaveURL(/\/login$/)
  await second.getByLabel('Username or email').fill(member.user.username)
  await second.getByRole('textbox', { name: 'Password' }).fill(userPassword)
  await second.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(second).toHaveURL(/\/token$/)
  await expect(page).toHaveURL(/\/topup$/)
})

test('another user in a second tab sees nothing of the first one in either', async ({
  page,
  root,
  server,
  member,
  enterAs,
  context,
}) => {
  const { username, password } = await makeUser(root)
  const other = await logIn(server.url, username, password)
  await makeToken(member, { name: 'of-the-first' })
  await makeToken(other, { name: 'of-the-second' })
  await enterAs(member)
  await page.goto('/token')
  await expect(page.getByText('of-the-first')).toBeVisible()
  const second = await context.newPage()
  await enterAs(other, second)
  await second.goto('/about')
  await expect(page.getByText('of-the-second')).toBeVisible()
  await expect(page.getByText('of-the-first')).toHaveCount(0)
})

test('a name chosen in Chinese stays a name [spec 2 navigation user]', async ({ page, root, server, enterAs }) => {
  const draft = await makeUser(root, { username: uniqueName('wei') })
  await choose(page, { language: 'zh' })
  await enterAs(await logIn(server.url, draft.username, draft.password))
  await page.goto('/token')
  await page.getByRole('button', { name: draft.username }).click()
  await expect(page.getByRole('menuitem', { name: '退出' })).toBeVisible()
})
