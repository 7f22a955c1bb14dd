import { expect, type Page } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { usersApi } from '#shared/api/users.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose, expectAccessible } from './support/axe.ts'
import { makeUser } from './support/make.ts'
import { test } from './support/test.ts'

const toast = '.mantine-Notification-root'
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Keys of the options that are sent from now on. */
function watchSaves(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/option/')) keys.push(request.postDataJSON().key)
  })
  return keys
}

const storedValue = async (root: ApiClient, key: string) =>
  (await root.call(optionsApi.list, {})).find((option) => option.key === key)?.value

const write = (root: ApiClient, key: string, value: string) => root.call(optionsApi.update, { key, value })

async function makeAdmin(root: ApiClient, url: string): Promise<ApiClient> {
  const { username, password } = await makeUser(root)
  await root.call(usersApi.manage, { username, action: 'promote' })
  return logIn(url, username, password)
}

test('people have one tab, admins four [spec 2 settings tabs] [spec 9 role thresholds]', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const { username, password } = await makeUser(root)
  await enterAs(await logIn(server.url, username, password))
  await page.goto('/setting?tab=system')
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expect(tabs).toHaveText(['Personal'])
  await expect(page.getByRole('heading', { name: 'System access token' })).toBeVisible()
  const other = await page.context().browser()?.newContext({ baseURL: server.url })
  const adminPage = await other?.newPage()
  if (!adminPage) throw new Error('no page')
  await enterAs(await makeAdmin(root, server.url), adminPage)
  await adminPage.goto('/setting')
  const adminTabs = adminPage.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expect(adminTabs).toHaveText(['Personal', 'Operations', 'System', 'Other'])
  await adminTabs.nth(1).click()
  await expect(adminPage).toHaveURL(/tab=operations/)
  await other?.close()
})

test('only what changed is saved, and the bar says how much [spec 2 operations general] [spec 4 boolean options] [spec 8 toast operation]', {
  tag: '@smoke',
}, async ({ page, root, enterAs }) => {
  await enterAs(root)
  const saved = watchSaves(page)
  await page.goto('/setting?tab=operations')
  const general = section(page, 'General')
  for (const label of ['Top-up link', 'Chat link', 'Quota per dollar', 'Retries on failure'])
    await expect(general.getByLabel(label)).toBeVisible()
  await expect(general.getByLabel('Billing APIs show token quota instead of user quota')).toBeChecked()
  await expect(saveButton(page)).toHaveCount(0)
  await general.getByLabel('Top-up link').fill('https://pay.example.com')
  await general.getByLabel('Display quota as currency').click()
  await expect(page.getByText('2 unsaved changes in General')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link').first()).toContainText('2 edited')
  await saveButton(page).click()
  await expect(page.locator(toast)).toContainText('Operation completed')
  await expect(saveButton(page)).toHaveCount(0)
  expect(saved.sort()).toEqual(['DisplayInCurrencyEnabled', 'TopUpLink'])
  expect(await storedValue(root, 'DisplayInCurrencyEnabled')).toBe('false')
  await write(root, 'DisplayInCurrencyEnabled', 'true')
  await write(root, 'TopUpLink', '')
})

test('changes are kept over the tabs and can be discarded', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  await page.getByLabel('Retries on failure').fill('7')
  await page.getByRole('link', { name: 'System', exact: true }).click()
  await page.getByRole('link', { name: 'Operations' }).click()
  await expect(page.getByLabel('Retries on failure')).toHaveValue('7')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Retries on failure')).toHaveValue('2')
})

test('the index leads to its sections, and so does an address that names one', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  const index = page.getByRole('navigation', { name: 'Sections' })
  for (const name of ['Ratios', 'General', 'Ratios']) {
    await index.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name, exact: true })).toBeInViewport()
  }
  await page.mouse.wheel(0, -10_000)
  await expect(page.getByRole('heading', { name: 'Ratios', exact: true })).not.toBeInViewport()
  await index.getByRole('link', { name: 'Ratios' }).click()
  await expect(page.getByRole('heading', { name: 'Ratios', exact: true })).toBeInViewport()
  await page.goto('/about')
  await page.goto('/setting?tab=operations#ratios')
  await expect(page.getByRole('heading', { name: 'Ratios', exact: true })).toBeInViewport()
})

test('what is typed while a save runs is kept, and saved by the next', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  const field = page.getByLabel('Top-up link')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/option/', async (route) => {
    if (route.request().method() === 'PUT') await answered
    await route.continue()
  })
  await field.fill('https://one.example')
  await saveButton(page).click()
  await field.fill('https://two.example')
  answer()
  await expect(page.locator(toast)).toContainText('Operation completed')
  await expect(field).toHaveValue('https://two.example')
  await saveButton(page).click()
  await expect(saveButton(page)).toHaveCount(0)
  expect(await storedValue(root, 'TopUpLink')).toBe('https://two.example')
  await write(root, 'TopUpLink', '')
})

test('history is cleared up to a time, after a question [spec 2 operations log] [spec 9 clear log default]', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  const log = section(page, 'Log')
  await expect(log.getByLabel('Log quota consumption')).toBeChecked()
  const shown = await log.getByLabel('Clear history before', { exact: true }).inputValue()
  const age = Date.now() / 1000 - new Date(shown.replace(' ', 'T')).getTime() / 1000
  expect(Math.abs(age - 2_592_000)).toBeLessThan(120)
  await log.getByRole('button', { name: 'Clear history logs' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
  await expect(page.locator(toast)).toHaveText('0 log rows cleared')
})

test('a clearing that fails is reported with its reason [spec 8 log clear failure]', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  await page.route('**/api/log/?**', (route) =>
    route.fulfill({ json: { success: false, message: 'target timestamp is required' } }),
  )
  await page.getByRole('button', { name: 'Clear history logs' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
  await expect(page.locator(toast)).toHaveText('log clear failed: target timestamp is required')
})

test('monitor and quota have their numbers, none below 0 [spec 2 operations monitor] [spec 2 operations quota] [spec 9 minimums]', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  const saved = watchSaves(page)
  await page.goto('/setting?tab=operations')
  const monitor = section(page, 'Monitor')
  await expect(monitor.getByLabel('Longest response time')).toHaveValue('5')
  await expect(monitor.getByLabel('Quota reminder threshold')).toHaveValue('1,000')
  await monitor.getByLabel('Disable a channel automatically on failure').click()
  await monitor.getByLabel('Enable a channel automatically on success').click()
  const quota = section(page, 'Quota')
  for (const label of ['Initial quota of new users', 'Pre-consumed quota per request', 'Reward for the inviter'])
    await expect(quota.getByLabel(label)).toBeVisible()
  await quota.getByLabel('Reward for the invited').fill('-250000')
  await quota.getByLabel('Reward for the inviter').focus()
  await expect(quota.getByLabel('Reward for the invited')).toHaveAttribute('aria-invalid', 'true')
  await quota.getByLabel('Reward for the invited').fill('250000')
  await expect(quota.getByText('Worth $0.50')).toBeVisible()
  await page.getByLabel('Retries on failure').fill('')
  await saveButton(page).click()
  await expect(page.getByText('must be a number that is not negative')).toBeVisible()
  await page.getByRole('button', { name: '1 field needs attention' }).click()
  await expect(page.getByLabel('Retries on failure')).toBeFocused()
  await page.getByLabel('Retries on failure').fill('2')
  await saveButton(page).click()
  await expect(page.locator(toast)).toContainText('Operation completed')
  expect(saved.sort()).toEqual(['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled', 'QuotaForInvitee'])
  for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) await write(root, key, 'false')
  await write(root, 'QuotaForInvitee', '0')
})

test('ratios must be JSON, and the wrong character is shown [spec 2 operations ratios] [spec 5 ratio fields]', async ({
  page,
  root,
  enterAs,
}) => {
  // Other tests of this server may have priced a model.
  await write(root, 'ModelRatio', '')
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  const ratios = section(page, 'Ratios')
  const field = (label: string) => ratios.getByLabel(label, { exact: true })
  await expect(field('Model ratio')).toHaveValue('')
  const wrong = { 'Model ratio': 'model', 'Completion ratio': 'completion', 'Group ratio': 'group' }
  for (const label of Object.keys(wrong)) await field(label).fill('{\n  "gpt-4o": 1.25,,\n}')
  await field('Model ratio').focus()
  for (const name of Object.values(wrong))
    await expect(ratios.getByText(`${name} ratio is not a valid JSON string`)).toBeVisible()
  await expect(ratios.getByText('Line 2, column 18:').first()).toBeVisible()
  await saveButton(page).click()
  await expect(page.getByText('3 fields need attention')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await field('Model ratio').fill('{"house-model": 1.5}')
  await field('Completion ratio').fill('{"house-model": 4}')
  const price = ratios.getByRole('row').filter({ hasText: 'house-model' })
  await expect(price.getByRole('cell')).toHaveText(['$3.00', '$12.00'])
  await saveButton(page).click()
  await expect(page.locator(toast)).toContainText('Operation completed')
  expect(await storedValue(root, 'ModelRatio')).toBe('{"house-model": 1.5}')
  await field('Model ratio').fill('')
  await field('Completion ratio').fill('')
  await saveButton(page).click()
  await expect(saveButton(page)).toHaveCount(0)
  expect(await storedValue(root, 'ModelRatio')).toBe('{}')
})

test('an admin sees what only the super admin may change, but cannot', async ({ page, root, server, enterAs }) => {
  await enterAs(await makeAdmin(root, server.url))
  await page.goto('/setting?tab=system')
  await expect(page.getByLabel('Allow login by password')).toBeDisabled()
  await expect(page.getByLabel('SMTP server')).toHaveAttribute('readonly')
  await expect(page.getByText('Only the super admin can change this.').first()).toBeVisible()
  await page.getByLabel('Allow registration by password').click()
  await saveButton(page).click()
  await expect(page.locator(toast)).toContainText('Operation completed')
  await write(root, 'PasswordRegisterEnabled', 'true')
})

test('on a phone and in Chinese the settings hold together', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await choose(page, { language: 'zh', theme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/setting?tab=operations')
  await page.getByLabel('失败重试次数').fill('3')
  await expect(page.getByText('通用设置中有 1 项未保存的更改')).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})
