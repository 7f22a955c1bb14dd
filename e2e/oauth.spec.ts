import { expect } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { uniqueName, userPassword } from './support/make.ts'
import { stored, test, toasts } from './support/site.ts'

const github = { GitHubClientId: 'client-of-ours', GitHubClientSecret: 'secret', GitHubOAuthEnabled: 'true' }
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('GitHub is asked with client, state and scope, and one comes back logged in at home [spec 2 login methods] [spec 4 github callback]', async ({
  page,
  context,
  setOptions,
  githubVisitor,
}) => {
  await setOptions(github)
  await page.goto('/login')
  const asked: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/login/oauth/authorize')) asked.push(request.url())
  })
  const state = page.waitForResponse('**/api/oauth/state')
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  const opened = await opening
  await expect(opened).toHaveURL(/\/$/)
  const { searchParams } = new URL(asked[0] ?? '')
  expect(searchParams.get('client_id')).toBe('client-of-ours')
  expect(searchParams.get('scope')).toBe('user:email')
  expect(searchParams.get('state')).toBe((await (await state).json()).data)
  expect(JSON.parse((await stored(opened, 'user')) ?? '{}')).toMatchObject({ role: 1, display_name: githubVisitor })
  await expect(opened.getByRole('heading', { name: 'Overview' })).toBeVisible()
})

test('a callback of a logged-in user binds and leads to the settings [spec 4 github callback]', async ({
  page,
  member,
  enterAs,
  context,
  setOptions,
  githubVisitor,
}) => {
  await setOptions(github)
  await enterAs(member)
  await page.goto('/about')
  const begun = await context.request.post('/api/oauth/state', { data: { password: userPassword } })
  const { data: state } = await begun.json()
  await page.goto(`/oauth/github?code=good-code&state=${encodeURIComponent(state)}`)
  await expect(page).toHaveURL(/\/setting$/)
  await expect(toasts(page, 'success')).toHaveText('GitHub account bound')
  expect((await member.call(accountApi.self, {})).github_id).toBe(githubVisitor)
})

test('a callback that fails says why and leads to the settings [spec 4 github callback]', async ({
  page,
  member,
  enterAs,
  setOptions,
}) => {
  await setOptions(github)
  await enterAs(member)
  await page.goto('/oauth/github?code=good-code&state=never-given')
  await expect(page).toHaveURL(/\/setting$/)
  await expect(toasts(page, 'error')).toHaveText(
    'Error: The state is empty, used or expired; please start the login again',
  )
})

test('the WeChat dialog shows the QR code, wants a code that is valid for 3 minutes, and leads home [spec 2 login qr] [spec 4 wechat login success] [spec 5 wechat code] [spec 9 wechat code validity]', async ({
  page,
  setOptions,
  thirdParties,
}) => {
  thirdParties.wechatCodes.set('135790', uniqueName('wx'))
  await page.route('https://qr.example/code.png', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(image.split(',')[1] ?? '', 'base64') }),
  )
  await setOptions({
    WeChatServerAddress: thirdParties.url,
    WeChatServerToken: 'key',
    WeChatAccountQRCodeImageURL: 'https://qr.example/code.png',
    WeChatAuthEnabled: 'true',
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with WeChat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in with WeChat' })
  const picture = dialog.getByRole('img', { name: 'QR code of the WeChat account' })
  await expect(picture).toHaveAttribute('src', 'https://qr.example/code.png')
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1)
  await expect(dialog).toContainText('valid for 3 minutes')
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog.getByText('verification code is required')).toBeVisible()
  await dialog.getByLabel('Verification code').fill('000000')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(toasts(page, 'error')).toHaveText('wrong code')
  await dialog.getByLabel('Verification code').fill('135790')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('button', { name: /^wechat_/ })).toBeVisible()
  expect(JSON.parse((await stored(page, 'user')) ?? '{}').role).toBe(1)
})
