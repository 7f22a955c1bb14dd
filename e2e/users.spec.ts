import { expect } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { usersApi } from '#shared/api/users.ts'
import type { ApiClient } from './support/api-client.ts'
import { countLoads, expectToast, namesOf, phone, rowOf, search, sortBy } from './support/lists.ts'
import { makeUser, uniqueName, userPassword } from './support/make.ts'
import { test } from './support/test.ts'

const found = async (root: ApiClient, username: string) =>
  (await root.call(usersApi.search, { keyword: username })).list.find((user) => user.username === username)

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('the list shows the columns and searches by id, username and display name [spec 2 user list columns] [spec 2 user list search] [spec 5 user search]', async ({
  page,
  root,
}) => {
  const { username } = await makeUser(root, { display_name: 'Ada Lovelace' })
  const user = await found(root, username)
  await page.goto('/user')
  await expect(page.locator('thead th:not(:has(input))')).toHaveText([
    'ID',
    'Username',
    'Group',
    'Statistics',
    'Role',
    'Status',
    'Actions',
  ])
  for (const keyword of [`  ${username} `, 'Lovelace', String(user?.id)]) {
    await search(page, keyword)
    await expect(rowOf(page, username)).toBeVisible()
  }
  await expect(rowOf(page, username)).toContainText('$0.00 remaining')
  await expect(rowOf(page, username)).toContainText('$0.00 used · 0 requests')
  await expect(rowOf(page, username)).toContainText('Activated')
  await search(page, '   ')
  await expect(page).not.toHaveURL(/q=/)
  await expect(page.locator('tbody tr').nth(1)).toBeVisible()
})

test('headers sort the loaded page and reverse on the second click [spec 2 user list sort]', async ({ page, root }) => {
  const prefix = uniqueName('s')
  for (const letter of ['b', 'c', 'a']) await makeUser(root, { username: prefix + letter })
  await page.goto(`/user?q=${prefix}`)
  await expect(page.locator('tbody tr')).toHaveCount(3)
  for (const header of ['ID', 'Group', 'Statistics', 'Role', 'Status', 'Username']) {
    await sortBy(page, header)
    await sortBy(page, header, 'descending')
  }
  await expect.poll(() => namesOf(page)).toEqual(['c', 'b', 'a'].map((letter) => prefix + letter))
})

test('the dropdown sorts all users and goes back to page 1 [spec 2 user list order]', async ({ page, root }) => {
  const { username } = await makeUser(root)
  const user = await found(root, username)
  await root.call(usersApi.update, { id: user?.id, quota: 900_000_000_000_000, quota_before: user?.quota })
  await page.goto('/user?page=2')
  for (const order of ['By used quota', 'By request count', 'By remaining quota']) {
    await page.getByRole('combobox', { name: 'Order' }).selectOption(order)
    await expect(page.locator('tbody tr').first()).toBeVisible()
  }
  await expect(page).toHaveURL(/\?order=quota$/)
  await expect(page.locator('tbody tr').first()).toContainText(username)
})

test('promote, demote, disable and enable show what the server answers [spec 2 user list actions] [spec 4 user role] [spec 4 user status]', async ({
  page,
  root,
}) => {
  const { username } = await makeUser(root)
  const loads = countLoads(page, '/api/user/search')
  await page.goto(`/user?q=${username}`)
  const row = rowOf(page, username)
  for (const [action, shown] of [
    ['Promote', 'Admin'],
    ['Demote', 'User'],
    ['Disable', 'Banned'],
    ['Enable', 'Activated'],
  ] as const) {
    await page.getByRole('button', { name: `${action} ${username}` }).click()
    await expect(row).toContainText(shown)
  }
  await expectToast(page, 'success', 'Operation completed')
  await page.getByRole('button', { name: `Demote ${username}` }).click()
  await expectToast(page, 'error', /already/i)
  expect(loads()).toBe(1)
})

test('delete asks with the name and removes the row without a reload [spec 2 user list actions] [spec 4 after delete]', async ({
  page,
  root,
}) => {
  const { username } = await makeUser(root)
  const loads = countLoads(page, '/api/user/search')
  await page.goto(`/user?q=${username}`)
  await page.getByRole('button', { name: `Delete ${username}` }).click()
  const question = page.getByRole('alertdialog', { name: `Delete user ${username}?` })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'success', 'Operation completed')
  await expect(rowOf(page, username)).toBeHidden()
  expect(loads()).toBe(1)
  expect(await found(root, username)).toBeUndefined()
})

test('all actions on a super admin are disabled [spec 4 user role] [spec 6 super admin rows]', async ({ page }) => {
  await page.goto('/user?q=root')
  const buttons = rowOf(page, 'root').getByRole('button')
  await expect(buttons).toHaveCount(5)
  for (const button of await buttons.all()) await expect(button).toBeDisabled()
})

test('a user is added [spec 2 user list add] [spec 2 user add form] [spec 5 user create]', { tag: '@smoke' }, async ({
  page,
  root,
}) => {
  const username = uniqueName('new')
  await page.goto('/user')
  await page.getByRole('link', { name: 'Add new user' }).click()
  await expect(page).toHaveURL(/\/user\/add$/)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('username is required')).toBeVisible()
  await expect(page.getByText('password length must not be less than 8')).toBeVisible()
  await expect(page.getByText('At least 8 characters', { exact: true })).toBeVisible()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Display name').fill('New Person')
  await page.getByRole('textbox', { name: 'Password' }).fill(userPassword)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expectToast(page, 'success', 'User created')
  expect(await found(root, username)).toMatchObject({ display_name: 'New Person', role: 1, status: 1 })
})

test('an admin edits group and quota; what was spent meanwhile is kept [spec 2 user edit form]', async ({
  page,
  root,
}) => {
  const { username } = await makeUser(root)
  const { id = 0, quota = 0 } = (await found(root, username)) ?? {}
  await page.goto(`/user/edit/${id}`)
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await expect(page.getByRole('textbox', { name: 'New password' })).toHaveValue('')
  for (const fact of ['GitHub account', 'WeChat account', 'Email']) await expect(page.locator('dl')).toContainText(fact)
  await root.call(usersApi.update, { id, quota: quota + 1000, quota_before: quota })
  await page.getByLabel('Remaining quota').fill(String(quota + 500_000))
  await expect(page.getByText('Worth $1.00')).toBeVisible()
  await page.locator('.mantine-MultiSelect-input').click()
  await page.getByRole('option', { name: 'vip', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'User updated')
  expect(await found(root, username)).toMatchObject({ group: 'default,vip', quota: quota + 501_000 })
})

test('quota is a compact count when currency is off; a phone shows the short form [spec 9 quota display]', async ({
  page,
  root,
}) => {
  const { username } = await makeUser(root)
  const user = await found(root, username)
  await root.call(usersApi.update, { id: user?.id, quota: 1_234_567, quota_before: user?.quota })
  await root.call(optionsApi.update, { key: 'DisplayInCurrencyEnabled', value: 'false' })
  try {
    await page.setViewportSize(phone)
    await page.goto(`/user?q=${username}`)
    await expect(page.getByRole('listitem').filter({ hasText: username })).toContainText('1.2M remaining')
  } finally {
    await root.call(optionsApi.update, { key: 'DisplayInCurrencyEnabled', value: 'true' })
  }
})
