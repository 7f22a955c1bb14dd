import { expect } from '@playwright/test'
import { usersApi } from '#shared/api/users.ts'
import { logIn } from './support/api-client.ts'
import { countLoads, expectToast } from './support/lists.ts'
import { makeUser, uniqueName, userPassword } from './support/make.ts'
import { test } from './support/test.ts'

test('the own profile shows a user neither group nor quota, and asks for no groups [spec 2 profile edit] [spec 2 user edit form] [spec 6 ordinary user]', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const { username } = await makeUser(root)
  await enterAs(await logIn(server.url, username, userPassword))
  const groups = countLoads(page, '/api/group/')
  await page.goto('/user/edit')
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await expect(page.getByText('Group', { exact: true })).toBeHidden()
  await expect(page.getByText('Remaining quota')).toBeHidden()
  const renamed = uniqueName('re')
  await page.getByLabel('Username').fill(renamed)
  await page.getByRole('textbox', { name: 'New password' }).fill('short')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('password length must not be less than 8')).toBeVisible()
  await page.getByRole('textbox', { name: 'New password' }).fill('another-password')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Profile updated')
  await expect(page.getByRole('button', { name: renamed })).toBeVisible()
  await logIn(server.url, renamed, 'another-password')
  expect(groups()).toBe(0)
})

test('an ordinary user finds no user page [spec 6 navigation]', async ({ page, root, server, enterAs }) => {
  const { username } = await makeUser(root)
  await enterAs(await logIn(server.url, username, userPassword))
  await page.goto('/user')
  await expect(page.getByText('page does not exist, please check your address')).toBeVisible()
  // Who was logged in before is an administrator without logging in anew, and goes by the new name.
  const renamed = uniqueName('re')
  const { user } = await logIn(server.url, username, userPassword)
  await root.call(usersApi.manage, { username, action: 'promote' })
  await root.call(usersApi.update, { id: user.id, username: renamed })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: renamed })).toBeVisible()
  await root.call(usersApi.manage, { username: renamed, action: 'demote' })
  await page.reload()
  await expect(page.getByText('page does not exist, please check your address')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Channels' })).toBeHidden()
})

test('an administrator sees the own group and quota, read-only [spec 2 user edit form]', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/user/edit')
  await expect(page.locator('dl').first()).toContainText('Group')
  await expect(page.locator('dl').first()).toContainText('Remaining quota')
})
