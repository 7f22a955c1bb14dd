import { expect, type Page } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { usersApi } from '#shared/api/users.ts'
import { logIn } from './support/api-client.ts'
import { startMailbox } from './support/mailbox.ts'
import { uniqueName, userPassword } from './support/make.ts'
import { stored, test, toasts } from './support/site.ts'
import { serveTurnstile } from './support/third-parties.ts'

const turnstile = { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' }

const repeat = (page: Page) => page.getByRole('textbox', { name: 'Repeat password' })

async function fill(page: Page, username: string, password: string, password2 = password): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await repeat(page).fill(password2)
}

const submit = (page: Page) => page.getByRole('button', { name: 'Register' }).click()

test('a registration with an invitation leads to the login, and the account works [spec 2 register fields] [spec 2 register aff] [spec 4 registration success] [spec 8 toast registration]', {
  tag: '@smoke',
}, async ({ page, root, server, member }) => {
  const code = await member.call(accountApi.affiliateCode, {})
  await page.goto(`/register?aff=${code}`)
  await expect(page.getByLabel('Email')).toBeHidden()
  await expect.poll(() => stored(page, 'aff')).toBe(code)
  await page.goto('/register')
  const username = uniqueName('new')
  await fill(page, username, userPassword)
  const [sent] = await Promise.all([page.waitForRequest('**/api/user/register*'), submit(page)])
  expect(sent.postDataJSON()).toMatchObject({
    username,
    password: userPassword,
    password2: userPassword,
    aff_code: code,
  })
  await expect(page).toHaveURL(/\/login$/)
  await expect(toasts(page, 'success')).toHaveText('Registration succeeded')
  expect((await logIn(server.url, username, userPassword)).user.role).toBe(1)
  expect((await root.call(usersApi.search, { keyword: username })).total).toBe(1)
})

test('each field says what is wrong with it [spec 5 register password length] [spec 5 register passwords differ] [spec 5 register required] [spec 5 register placeholders]', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/user/register') && calls.push(request.url()))
  await page.goto('/register')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAttribute('placeholder', 'At most 12 characters')
  await expect(repeat(page)).toHaveAttribute('placeholder', '8 to 20 characters')
  await submit(page)
  await expect(page.getByText('username is required')).toBeVisible()
  await expect(page.getByText('password is required')).toBeVisible()
  await fill(page, 'someone', 'short')
  await submit(page)
  await expect(page.getByText('password length must not be less than 8')).toBeVisible()
  await fill(page, 'someone', 'long-enough-1', 'long-enough-2')
  await submit(page)
  await expect(page.getByText('the two passwords entered do not match')).toBeVisible()
  await fill(page, 'a-very-long-username', 'long-enough-1')
  await submit(page)
  await expect(page.getByText('username must be at most 12 characters')).toBeVisible()
  expect(calls).toEqual([])
})

test('a name that is taken is refused in the words of the server [spec 8 server message]', async ({ page, member }) => {
  await page.goto('/register')
  await fill(page, member.user.username, userPassword)
  await submit(page)
  await expect(toasts(page, 'error')).toHaveText('The username is taken')
  await expect(page).toHaveURL(/\/register$/)
})

test('with email verification an address is proven with a mailed code [spec 2 register email] [spec 5 send code] [spec 4 code cooldown] [spec 9 cooldown] [spec 8 toast code sent]', async ({
  page,
  root,
  setOptions,
}) => {
  const mails = await startMailbox()
  await setOptions({ ...mails.options, EmailVerificationEnabled: 'true' })
  await page.clock.install()
  await page.goto('/register')
  await page.getByRole('button', { name: 'Get code' }).click()
  await expect(page.getByText('email is required')).toBeVisible()
  const username = uniqueName('mail')
  await page.getByLabel('Email').fill('no address')
  await page.getByRole('button', { name: 'Get code' }).click()
  await expect(page.getByText('not a valid email address')).toBeVisible()
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByRole('button', { name: 'Get code' }).click()
  await expect(toasts(page, 'success')).toHaveText('Verification code sent, check your mailbox')
  await expect(page.getByRole('button', { name: /^Retry in (30|2\d) s$/ })).toBeDisabled()
  await page.clock.fastForward(31_000)
  await expect(page.getByRole('button', { name: 'Get code' })).toBeEnabled()
  await fill(page, username, userPassword)
  await submit(page)
  await expect(page.getByText('verification code is required')).toBeVisible()
  const code = />(\w{6,})<\/strong>/.exec(await mails.next())?.[1] ?? ''
  await page.getByLabel('Verification code').fill('000000')
  await submit(page)
  await expect(toasts(page, 'error')).toHaveText('The code is wrong or has expired')
  await page.getByLabel('Verification code').fill(code)
  await submit(page)
  await expect(page).toHaveURL(/\/login$/)
  const { list } = await root.call(usersApi.search, { keyword: username })
  expect(list[0]?.email).toBe(`${username}@example.com`)
  await mails.stop()
})

test('while the bot check runs nothing is sent; once passed its token is [spec 2 register bot check] [spec 5 register check running]', async ({
  page,
  server,
  setOptions,
  thirdParties,
}) => {
  await setOptions(turnstile)
  await serveTurnstile(page, 'checks')
  await page.goto('/register')
  await expect(page.getByText('checking')).toBeVisible()
  const username = uniqueName('human')
  await fill(page, username, userPassword)
  await submit(page)
  await expect(toasts(page, 'info')).toHaveText('please retry in a few seconds, the check is running')
  await page.unrouteAll()
  await serveTurnstile(page, 'passes', thirdParties.turnstileToken)
  await page.reload()
  await expect(page.getByText('checked')).toBeVisible()
  await fill(page, username, userPassword)
  const [sent] = await Promise.all([page.waitForRequest('**/api/user/register*'), submit(page)])
  expect(new URL(sent.url()).searchParams.get('turnstile')).toBe(thirdParties.turnstileToken)
  await expect(page).toHaveURL(/\/login$/)
  expect((await fetch(`${server.url}/api/status`)).status).toBe(200)
})

test('a bot check that cannot be loaded is reported [spec 8 turnstile]', async ({ page, setOptions }) => {
  await setOptions(turnstile)
  await serveTurnstile(page, 'fails')
  await page.goto('/register')
  await expect(toasts(page, 'error')).toHaveText('Failed to load Turnstile.')
})

test('a closed registration says so, and the login no longer leads there', async ({ page, setOptions }) => {
  await setOptions({ RegisterEnabled: 'false' })
  await page.goto('/register')
  await expect(page.getByText('Registration is closed.')).toBeVisible()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Register' })).toBeHidden()
})
