import { expect } from '@playwright/test'
import { tokensApi } from '#shared/api/tokens.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import { expectToast, phone } from './support/lists.ts'
import { makeToken, makeUser } from './support/make.ts'
import { test as base } from './support/test.ts'

const test = base.extend<{ owner: ApiClient }>({
  owner: async ({ root, server, enterAs }, use) => {
    const { username, password } = await makeUser(root)
    const owner = await logIn(server.url, username, password)
    await enterAs(owner)
    await use(owner)
  },
})

const onlyToken = async (owner: ApiClient) => (await owner.call(tokensApi.list, {})).list[0]

test('a new token takes the defaults [spec 2 token form] [spec 9 token defaults] [spec 8 toast token created]', {
  tag: '@smoke',
}, async ({ page, owner }) => {
  await page.goto('/token/add')
  await expect(page.getByLabel('Remaining quota')).toHaveValue('500,000')
  await expect(page.getByText('Worth $1.00')).toBeVisible()
  await expect(page.getByLabel('Unlimited quota')).not.toBeChecked()
  await page.getByLabel('Name').fill('first')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expectToast(page, 'success', 'Token created')
  await expect(page).toHaveURL(/\/token$/)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('tab', { name: 'Claude Code' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByText('first')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await onlyToken(owner)).toMatchObject({
    name: 'first',
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: false,
  })
})

test('a token needs a name and an expiry that is a time [spec 5 token name] [spec 5 token expiry]', async ({
  page,
  owner: _,
}) => {
  await page.goto('/token/add')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('token name is required')).toBeVisible()
  await page.getByLabel('Name').fill('named')
  await page.getByLabel('Expiry', { exact: true }).fill('next week')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('expiry time format error')).toBeVisible()
  await page.getByRole('button', { name: '1 field needs attention' }).click()
  await expect(page.getByLabel('Expiry', { exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('the texts are Chinese for Chinese readers [spec 5 token name]', async ({ page, owner: _ }) => {
  await choose(page, { language: 'zh' })
  await page.goto('/token/add')
  await page.getByRole('button', { name: '创建令牌' }).click()
  await expect(page.getByText('请输入令牌名称')).toBeVisible()
})

test('a cleared quota is refused in words, and is allowed when there is no limit [spec 5 token quota]', async ({
  page,
  owner,
}) => {
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('endless')
  await page.getByLabel('Remaining quota').fill('')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('quota must be a whole number')).toBeVisible()
  await page.getByLabel('Unlimited quota').check()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expectToast(page, 'success', 'Token created')
  expect(await onlyToken(owner)).toMatchObject({ name: 'endless', unlimited_quota: true })
})

const quick = { '30 days': 30 * 86_400, '1 day': 86_400, '1 hour': 3600, '1 minute': 60 }

test('quick choices set the expiry [spec 2 token form expiry] [spec 9 quick token expiry]', async ({
  page,
  owner: _,
}) => {
  await page.goto('/token/add')
  const expiry = page.getByLabel('Expiry', { exact: true })
  for (const [choice, seconds] of Object.entries(quick)) {
    const before = Math.floor(Date.now() / 1000)
    await page.getByRole('button', { name: choice, exact: true }).click()
    const set = await expiry.inputValue()
    expect(set).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const at = await page.evaluate((text) => new Date(text.replace(' ', 'T')).getTime() / 1000, set)
    expect(at - before - seconds).toBeGreaterThanOrEqual(0)
    expect(at - before - seconds).toBeLessThan(60)
  }
  await page.getByRole('button', { name: 'Never', exact: true }).click()
  await expect(expiry).toHaveValue('')
})

test('the expiry can be picked from a calendar [spec 2 token form]', async ({ page, owner }) => {
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('picked')
  await page.getByLabel('Expiry', { exact: true }).fill('2030-05-01 00:00:00')
  await page.getByRole('button', { name: 'Expiry: pick a date and time' }).click()
  const calendar = page.getByRole('dialog')
  await calendar.getByRole('button', { name: '17 May 2030' }).click()
  await calendar.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Expiry', { exact: true })).toHaveValue('2030-05-17 00:00:00')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expectToast(page, 'success', 'Token created')
  expect((await onlyToken(owner))?.expired_time).toBeGreaterThan(1_900_000_000)
})

test('editing changes what was changed [spec 2 token form] [spec 5 token quota] [spec 8 toast token updated]', async ({
  page,
  owner,
}) => {
  await makeToken(owner, { name: 'before', remain_quota: 1000 })
  await page.goto('/token')
  await page.getByRole('link', { name: 'Edit before' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('before')
  await page.getByLabel('Name').fill('after')
  await page.getByLabel('Remaining quota').fill('2500')
  await page.getByLabel('Unlimited quota').check()
  await expect(page.getByLabel('Remaining quota')).toBeDisabled()
  await page.getByLabel('Unlimited quota').uncheck()
  await page.getByRole('combobox', { name: 'Addresses' }).fill('203.0.113.0/24')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Models' }).fill('my-model')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Token updated')
  expect(await onlyToken(owner)).toMatchObject({
    name: 'after',
    remain_quota: 2500,
    subnet: '203.0.113.0/24',
    models: 'my-model',
  })
})

test('what a token spends while its form stands open stays spent', async ({ page, owner }) => {
  await makeToken(owner, { name: 'busy', remain_quota: 1000 })
  const id = (await onlyToken(owner))?.id ?? 0
  await page.goto(`/token/edit/${id}`)
  await expect(page.getByLabel('Remaining quota')).toHaveValue('1,000')
  await owner.call(tokensApi.update, { id, remain_quota: 400 })
  await page.getByLabel('Name').fill('renamed')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Token updated')
  expect(await onlyToken(owner)).toMatchObject({ name: 'renamed', remain_quota: 400 })
})

test('a token that does not exist leads back to the list [spec 8 server message]', async ({ page, owner: _ }) => {
  await page.goto('/token/edit/987654')
  await expectToast(page, 'error', 'The token does not exist')
  await expect(page.getByRole('main').getByText('The token does not exist')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Tokens' }).click()
  await expect(page).toHaveURL(/\/token$/)
})

for (const theme of themes) {
  test(`the form has no fault axe can find, ${theme}`, async ({ page, owner: _ }) => {
    await choose(page, { theme })
    await page.goto('/token/add')
    await page.getByRole('button', { name: 'Create token' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Expiry: pick a date and time' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize(phone)
    await expectAccessible(page)
  })
}

test('a key is rotated with a time of grace; the new one is shown once, the old one is ended on demand', async ({
  page,
  owner,
}) => {
  await makeToken(owner, { name: 'deploy' })
  const before = await onlyToken(owner)
  await page.goto(`/token/edit/${before?.id}`)
  await page.getByRole('button', { name: 'Rotate key' }).click()
  const box = page.getByRole('dialog', { name: 'Rotate key' })
  await box.getByRole('button', { name: '1 hour' }).click()
  await expectAccessible(page)
  await box.getByRole('button', { name: 'Rotate key' }).click()
  await expect(box.getByText('Shown once.')).toBeVisible()
  await expect(box.getByRole('button', { name: 'Copy and close' })).toBeFocused()
  const after = await onlyToken(owner)
  expect(after?.key).not.toBe(before?.key)
  await expect(box.locator('code')).toHaveText(`sk-${after?.key}`)
  expect((after?.previous_key_expires ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(3600)
  await box.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: /^2 keys until/ }).click()
  await expect.poll(async () => (await onlyToken(owner))?.previous_key_expires).toBe(0)
})
