import { expect } from '@playwright/test'
import { guardedScreens, makeScreens, publicScreens } from './support/screens.ts'
import { test } from './support/site.ts'

const notFound = 'page does not exist, please check your address'

test('every public route opens its screen to a visitor [spec 2 routes]', async ({ page }) => {
  for (const { path, title } of publicScreens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  }
  await page.goto('/oauth/github?code=any&state=any')
  await expect(page).toHaveURL(/\/login$/)
})

test('every guarded route opens its screen to the super admin [spec 2 routes]', async ({ page, root, enterAs }) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await enterAs(root)
  for (const { path, title } of await makeScreens(root)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  }
  expect(complaints).toEqual([])
})

test('what admins manage does not exist for others, and the server refuses it [spec 2 routes]', {
  tag: '@smoke',
}, async ({ page, member, enterAs, context }) => {
  await enterAs(member)
  for (const path of ['/channel', '/redemption/add', '/user', '/user/edit/1']) {
    await page.goto(path)
    await expect(page.getByText(notFound)).toBeVisible()
  }
  expect((await context.request.get('/api/channel/?page=1&pagesize=10')).status()).toBe(403)
  await page.goto('/setting?tab=operations')
  await expect(page.getByRole('heading', { name: 'Bindings' })).toBeVisible()
})

test('a visitor is sent to the login from every guarded route [spec 2 guard]', async ({ page }) => {
  for (const { path } of guardedScreens) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
})

test('after the login one is where one wanted to go [spec 2 guard]', async ({ page, member }) => {
  await page.goto('/log?token_name=mine')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Username or email').fill(member.user.username)
  await page.getByRole('textbox', { name: 'Password' }).fill('a-good-password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(/\/log\?token_name=mine$/)
})

test('any other path is said not to exist, with a way home [spec 2 not found]', async ({ page }) => {
  for (const path of ['/nowhere', '/token/edit', '/channel/edit/1/more']) {
    await page.goto(path)
    await expect(page.getByText(notFound)).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Switchyard' })).toBeVisible()
})

test('a page whose code is on its way says so [spec 2 loading]', async ({ page, member, enterAs }) => {
  await enterAs(member)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/tokens-page/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'loading' })).toHaveText('loading tokens...')
  release()
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
})

test('code of a page that does not come within two minutes has failed [spec 9 chunk timeout]', async ({ page }) => {
  await page.clock.install()
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.route(/\/assets\/home-page/, () => undefined)
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByText('loading home...')).toBeAttached()
  await page.clock.fastForward(119_000)
  await expect(page.getByText('loading home...')).toBeAttached()
  await page.clock.fastForward(2_000)
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the chat is a frame of the configured link, and nothing without one [spec 2 chat page]', async ({
  page,
  setOptions,
  thirdParties,
}) => {
  await page.goto('/chat')
  await expect(page.getByText(notFound)).toBeVisible()
  const link = `${thirdParties.url}/chat-client`
  await setOptions({ ChatLink: link })
  await page.goto('/chat')
  await expect(page.locator('iframe[title="Chat"]')).toHaveAttribute('src', link)
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain(link)
})
