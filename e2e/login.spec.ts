import { expect, type Page } from '@playwright/test'
import { userPassword } from './support/make.ts'
import { startServer } from './support/running-server.ts'
import { stored, test, toasts } from './support/site.ts'

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a login stores the user and leads to the tokens [spec 2 login fields] [spec 4 login success] [spec 8 toast login]', {
  tag: '@smoke',
}, async ({ page, member }) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Forgot password' })).toHaveAttribute('href', '/reset')
  await expect(page.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
  await logIn(page, member.user.username, userPassword)
  await expect(page).toHaveURL(/\/token$/)
  await expect(toasts(page, 'success')).toHaveText('Login succeeded')
  const { id, username, role } = JSON.parse((await stored(page, 'user')) ?? '{}')
  expect({ id, username, role }).toEqual({ id: member.user.id, username: member.user.username, role: 1 })
  await page.reload()
  await expect(page.getByRole('button', { name: member.user.username })).toBeVisible()
})

test('the default password of root leads to the profile with a warning [spec 4 login success]', async ({ page }) => {
  const fresh = await startServer({ INITIAL_ROOT_PASSWORD: '123456' })
  await page.goto(`${fresh.url}/login`)
  await logIn(page, 'root', '123456')
  await expect(page).toHaveURL(/\/user\/edit$/)
  await expect(toasts(page, 'warning')).toHaveText(/default password .* please change it at once/)
  await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
  await fresh.stop()
})

test('a login needs both fields, and says when they are wrong [spec 2 login fields] [spec 8 server message]', async ({
  page,
  member,
}) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('username is required')).toBeVisible()
  await expect(page.getByText('password is required')).toBeVisible()
  await logIn(page, member.user.username, 'not-the-password')
  await expect(toasts(page, 'error')).toHaveText('Wrong username or password, or the user is banned')
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => stored(page, 'user')).toBeNull()
})

test('an expired session ends at the login, and goes on where it was [spec 4 expired session] [spec 8 401]', async ({
  page,
  member,
  enterAs,
  context,
}) => {
  await enterAs(member)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await context.clearCookies()
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page).toHaveURL(/\/login\?expired=true$/)
  await expect(toasts(page, 'error')).toHaveText('not logged in or login expired, please log in again')
  await expect.poll(() => stored(page, 'user')).toBeNull()
  await logIn(page, member.user.username, userPassword)
  await expect(page).toHaveURL(/\/token$/)
})

test('the address with ?expired=true says so by itself [spec 4 expired session]', async ({ page }) => {
  await page.goto('/login?expired=true')
  await expect(toasts(page, 'error')).toHaveText('not logged in or login expired, please log in again')
})

test('without password login only the other methods are offered [spec 2 login methods]', async ({
  page,
  root,
  setOptions,
}) => {
  expect(root.user.role).toBe(100)
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Continue with WeChat' })).toBeHidden()
  await setOptions({ GitHubClientId: 'client', GitHubClientSecret: 'secret', GitHubOAuthEnabled: 'true' })
  await setOptions({ PasswordLoginEnabled: 'false' })
  await page.reload()
  await expect(page.getByText('Password login is switched off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
  await expect(page.getByLabel('Username or email')).toBeHidden()
})
