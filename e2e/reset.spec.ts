import { expect } from '@playwright/test'
import { authApi } from '#shared/api/auth.ts'
import { logIn } from './support/api-client.ts'
import { startMailbox } from './support/mailbox.ts'
import { uniqueName } from './support/make.ts'
import { test, toasts } from './support/site.ts'
import { serveTurnstile } from './support/third-parties.ts'

test('a forgotten password is replaced through a mailed link [spec 2 reset request] [spec 2 reset confirm] [spec 5 reset email] [spec 4 code cooldown]', async ({
  page,
  server,
  member,
  setOptions,
  context,
}) => {
  const mails = await startMailbox()
  const email = `${uniqueName('lost')}@example.com`
  await setOptions({ ...mails.options, ServerAddress: server.url })
  await member.call(authApi.verification, { email })
  const code = />(\w{6,})<\/strong>/.exec(await mails.next())?.[1] ?? ''
  await member.call(authApi.emailBind, { email, code })

  await page.clock.install()
  await page.goto('/reset')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText('email is required')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(toasts(page, 'success')).toHaveText('Reset link sent, check your mailbox')
  await expect(page.getByRole('button', { name: /^Retry in (30|2\d) s$/ })).toBeDisabled()
  await page.clock.fastForward(29_000)
  await expect(page.getByRole('button', { name: /^Retry in \d s$/ })).toBeDisabled()
  await page.clock.fastForward(2_000)
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeEnabled()

  const link = /href="([^"]+\/user\/reset[^"]+)"/.exec(await mails.next())?.[1]?.replaceAll('&amp;', '&') ?? ''
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(link)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('button', { name: 'password reset complete' })).toBeDisabled()
  const password = await page.getByLabel('New password').inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  await expect(toasts(page, 'notice')).toContainText(password)
  expect((await logIn(server.url, member.user.username, password)).user.id).toBe(member.user.id)

  await page.goto(link)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(toasts(page, 'error')).toHaveText('The reset link is invalid or has expired')
  await expect(page.getByRole('button', { name: 'Reset password' })).toBeEnabled()
  await mails.stop()
})

test('a link without its token can only be asked for again [spec 2 reset confirm]', async ({ page }) => {
  await page.goto('/user/reset?email=someone%40example.com')
  await expect(page.getByText('This reset link is incomplete. Request another one.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset password' })).toBeDisabled()
  await page.getByRole('link', { name: 'Reset password' }).click()
  await expect(page).toHaveURL(/\/reset$/)
})

test('while Turnstile checks no link is sent [spec 2 reset request] [spec 5 reset check running]', async ({
  page,
  setOptions,
}) => {
  await setOptions({ TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
  await serveTurnstile(page, 'checks')
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/reset_password') && calls.push(request.url()))
  await page.goto('/reset')
  await page.getByLabel('Email').fill('someone@example.com')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(toasts(page, 'warning')).toHaveText(
    'please retry in a few seconds, Turnstile is checking the user environment',
  )
  expect(calls).toEqual([])
})
