import { expect } from '@playwright/test'
import { logIn } from './support/api-client.ts'
import { makeChannel, makeToken, makeUser } from './support/make.ts'
import { test } from './support/test.ts'

test('the console starts without an error and keeps to its content policy', async ({ page }) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto('/')
  await expect(page).toHaveTitle(/Switchyard/)
  await expect(page.locator('#root')).not.toBeEmpty()
  expect(complaints).toEqual([])
})

test('the description of the API opens and unfolds without a script', async ({ page }) => {
  await page.goto('/docs/api')
  const login = page.locator('details', { hasText: '/api/user/login' }).first()
  await login.locator('summary').click()
  await expect(login.getByText('password', { exact: true })).toBeVisible()
})

test('what an administrator makes through the API is there in the console', async ({ page, server, root, enterAs }) => {
  const channel = await makeChannel(root)
  await enterAs(root)
  await page.goto('/channel')
  await expect(page.getByText(channel.name).first()).toBeVisible()

  const user = await makeUser(root)
  const client = await logIn(server.url, user.username, user.password)
  const token = await makeToken(client)
  const other = await page.context().browser()?.newPage({ baseURL: server.url })
  if (!other) throw new Error('no browser')
  await enterAs(client, other)
  await other.goto('/token')
  await expect(other.getByText(token.name).first()).toBeVisible()
  await other.close()
})
