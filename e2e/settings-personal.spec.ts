import { expect, type Page } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { optionsApi } from '#shared/api/options.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import { startMailbox } from './support/mailbox.ts'
import { makeUser, uniqueName } from './support/make.ts'
import { test as base } from './support/test.ts'
import { serveTurnstile } from './support/third-parties.ts'

const test = base.extend<{ self: ApiClient }>({
  self: async ({ root, server, enterAs }, use) => {
    const { username, password } = await makeUser(root)
    const client = await logIn(server.url, username, password)
    await enterAs(client)
    await use(client)
  },
})

const toast = (page: Page) => page.locator('.mantine-Notification-root').first()

async function write(root: ApiClient, values: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(values)) await root.call(optionsApi.update, { key, value })
}

test('a system access token is made, shown and copied [spec 2 personal token] [spec 8 toast token reset]', async ({
  page,
  self,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Generate system access token' }).click()
  await expect(toast(page)).toHaveText('Token reset and copied')
  const token = await page.getByLabel('New access token').inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  const answer = await fetch(`${server.url}/api/user/self`, { headers: { authorization: `Bearer ${token}` } })
  expect(await answer.json()).toMatchObject({ success: true, data: { username: self.user.username } })
})

test('what the browser will not copy can be copied by hand [spec 8 clipboard failure]', async ({ page, self }) => {
  expect(self.user.role).toBe(1)
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Generate system access token' }).click()
  await expect(toast(page)).toContainText('please copy it by hand')
  await expect(page.getByLabel('New access token')).not.toHaveValue('')
})

test('the invite link carries the own code [spec 2 personal invite] [spec 8 toast invite]', async ({
  page,
  self,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Copy invite link' }).click()
  await expect(toast(page)).toHaveText('Invite link copied')
  const code = await self.call(accountApi.affiliateCode, {})
  const link = `${server.url}/register?aff=${code}`
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await expect(page.getByLabel('Invite link')).toHaveValue(link)
})

test('the profile is one link away [spec 2 personal profile]', async ({ page, self }) => {
  await page.goto('/setting')
  await expect(page.getByRole('region', { name: 'Account', exact: true })).toContainText(self.user.username)
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect(page).toHaveURL(/\/user\/edit\/?$/)
})

test('an account is deleted only when its name is typed [spec 2 personal delete] [spec 5 account deletion] [spec 8 toast account deleted]', async ({
  page,
  self,
  server,
}) => {
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Delete own account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dangerous operation' })
  await expect(dialog).toContainText('all data will be cleared and cannot be recovered')
  await dialog.getByLabel(/Enter your account name/).fill('someone else')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('please enter your account name to confirm deletion')
  await expectAccessible(page)
  await dialog.getByLabel(/Enter your account name/).fill(self.user.username)
  const [left] = await Promise.all([
    page.waitForRequest('**/api/user/logout'),
    dialog.getByRole('button', { name: 'Delete' }).click(),
  ])
  expect(left.method()).toBe('GET')
  await expect(toast(page)).toHaveText('Account deleted')
  await expect(page).toHaveURL(/\/login$/)
  await expect(logIn(server.url, self.user.username, 'a-good-password')).rejects.toThrow('Wrong username or password')
})

test('a WeChat account is bound with its code [spec 2 personal wechat] [spec 5 wechat code] [spec 8 toast wechat bound]', async ({
  page,
  root,
  self,
  thirdParties,
}) => {
  thirdParties.wechatCodes.set('246810', uniqueName('wechat'))
  await write(root, { WeChatServerAddress: thirdParties.url, WeChatServerToken: 'key', WeChatAuthEnabled: 'true' })
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Bind WeChat account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await expect(dialog.getByText('verification code is required')).toBeVisible()
  await dialog.getByLabel('Verification code').fill('246810')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await expect(toast(page)).toHaveText('Error: Enter your password or a code of your second factor')
  await dialog.getByLabel('Your password').fill('a-good-password')
  await dialog.getByLabel('Verification code').fill('111111')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await expect(toast(page)).toHaveText('wrong code')
  await dialog.getByLabel('Verification code').fill('246810')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await expect(page.getByText('WeChat account bound')).toBeVisible()
  expect((await self.call(accountApi.self, {})).wechat_id).not.toBe('')
  await write(root, { WeChatAuthEnabled: 'false', WeChatServerAddress: '' })
})

test('a GitHub account is bound and one is back in the settings [spec 2 personal github] [spec 4 github callback]', async ({
  page,
  root,
  self,
  context,
}) => {
  await write(root, { GitHubClientId: 'client', GitHubClientSecret: 'secret', GitHubOAuthEnabled: 'true' })
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Bind GitHub account' }).click()
  const form = page.getByRole('form', { name: 'Bind GitHub account' })
  await form.getByLabel('Your password').fill('a-good-password')
  const [window_] = await Promise.all([
    context.waitForEvent('page'),
    form.getByRole('button', { name: 'Bind', exact: true }).click(),
  ])
  await expect(window_).toHaveURL(/\/setting$/)
  await expect(window_.getByRole('region', { name: 'Bindings' })).toContainText('octo-visitor')
  expect((await self.call(accountApi.self, {})).github_id).toBe('octo-visitor')
  await write(root, { GitHubOAuthEnabled: 'false', GitHubClientId: '' })
})

test('an email is bound with a code that is mailed to it [spec 2 personal email] [spec 5 email bind] [spec 5 send code] [spec 4 code cooldown] [spec 9 cooldown] [spec 8 toast code sent] [spec 8 toast email bound]', async ({
  page,
  root,
  self,
}) => {
  const mails = await startMailbox()
  await write(root, mails.options)
  const address = `${uniqueName('box')}@example.com`
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Bind email' }).click()
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(page.getByText('email is required')).toBeVisible()
  await page.getByLabel('Email address').fill(address)
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/oauth/email/bind') && calls.push(request.url()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(toast(page)).toHaveText('Verification code sent, check your mailbox')
  await expect(page.getByRole('button', { name: /^Retry in (30|2\d) s$/ })).toBeDisabled()
  expect(calls).toEqual([])
  const code = />(\w{6,})<\/strong>/.exec(await mails.next())?.[1] ?? ''
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Email bound')).toBeVisible()
  expect((await self.call(accountApi.self, {})).email).toBe(address)
  await expect(page.getByRole('region', { name: 'Bindings' })).toContainText(address)
  await write(root, { SMTPServer: '', SMTPFrom: '', SMTPPort: '587' })
  await mails.stop()
})

test('a code is not asked for while the human check runs [spec 2 personal email]', async ({ page, root, self }) => {
  expect(self.user.role).toBe(1)
  await write(root, { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
  await serveTurnstile(page, 'checks')
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Bind email' }).click()
  await page.getByLabel('Email address').fill('someone@example.com')
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(toast(page)).toHaveText('please retry in a few seconds, Turnstile is checking the user environment')
  await write(root, { TurnstileCheckEnabled: 'false', TurnstileSiteKey: '' })
})

for (const theme of themes) {
  test(`axe finds nothing on the personal settings in ${theme}`, async ({ page, self }) => {
    expect(self.user.role).toBe(1)
    await choose(page, { theme })
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Bind email' }).click()
    await expectAccessible(page)
  })
}

test('in Chinese on a phone the account can still be deleted', async ({ page, self }) => {
  await choose(page, { language: 'zh' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/setting')
  await page.getByRole('button', { name: '删除个人账户' }).click()
  const dialog = page.getByRole('dialog', { name: '危险操作' })
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(dialog).toContainText('请输入你的账户名以确认删除')
  await dialog.getByLabel(/输入你的账户名/).fill(self.user.username)
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(page).toHaveURL(/\/login$/)
})
